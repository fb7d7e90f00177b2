import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lightly, ProaUser, program } from './proa-user.test.kit.js'

const skip = process.platform !== 'linux' && 'this looks at /proc'

test('a cluster whose process died and was not reaped does not run, and can be started again', {
  skip,
}, async (context) => {
  await using user = new ProaUser()
  const folder = user.dataDirectory('data')
  // As in a container without an init: the parent of `up` is a process that never waits for its children.
  const line = `"$@" >/dev/null 2>&1 & exec sleep 600`
  const args = [process.execPath, program, 'up', '--data-dir', folder, '--kubeconfig', '-', ...lightly]
  const parent = spawn('/bin/sh', ['-c', line, 'sh', ...args], { env: user.env, stdio: 'ignore' })
  context.after(() => parent.kill('SIGKILL'))
  const pid = await pidOf(folder)
  process.kill(pid, 'SIGKILL')
  await until(() => stateOf(pid) === 'Z')

  assert.match((await user.proa('status', '--data-dir', folder)).err, /^proa status: the cluster proa does not run\n/)
  assert.match((await user.proa('down', '--data-dir', folder)).out, /^The cluster proa did not run\./)
  const again = await user.up(folder, '--kubeconfig', '-')
  assert.equal(again.code, 0, again.err)
  assert.equal(stateOf(pid), 'Z')
})

/** Of the process that says that the cluster runs. */
async function pidOf(folder: string): Promise<number> {
  const record = () => {
    try {
      return JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')) as { pid: number; url?: string }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }
  await until(() => record()?.url !== undefined)
  return record()!.pid
}

function stateOf(pid: number): string | undefined {
  return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}
