import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('the example for vitest runs', async () => {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--root', '.', 'examples/testing/with-vitest.spec.ts']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NO_COLOR: '1' } })
  assert.match(stdout, /Tests {2}2 passed/)
})
