import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseYaml, YamlSyntaxError } from './yaml.js'

const refused = (text: string, message: RegExp) =>
  assert.rejects(parseYaml(text), (error) => error instanceof YamlSyntaxError && message.test(error.message))

test('excessive depth is rejected before the stack is full', async () => {
  for (const text of [
    '['.repeat(20_000),
    '- '.repeat(2000),
    '{a: '.repeat(3000),
    `${'['.repeat(900)}${']'.repeat(900)}`,
  ])
    await refused(text, /exceeded max depth of 500/)
})

test('a deep document and a long document are parsed', async () => {
  const { value } = await parseYaml(`${'- '.repeat(200)}x`)
  assert.equal(JSON.stringify(value), `${'['.repeat(200)}"x"${']'.repeat(200)}`)
  const long = await parseYaml('- a: [b-c, {d: e}]\n'.repeat(2000))
  assert.equal((long.value as unknown[]).length, 2000)
})

test('cyclic aliases are rejected', async () => {
  await refused('a: &a [*a]\n', /anchor 'a' value contains itself/)
})

test('exponential aliases are rejected', async () => {
  const levels = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(8)}]`)
  await refused(`a0: &a0 [x,x,x,x,x,x,x,x]\n${levels.join('\n')}\n`, /excessive aliasing/)
})
