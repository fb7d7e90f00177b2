import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fullImageName, parseImageName, splitImageName } from './image-name.js'

const digest = `sha256:${'0'.repeat(64)}`

describe('the name of an image', () => {
  const fullNames: Readonly<Record<string, string>> = {
    web: 'docker.io/library/web:latest',
    'web:1': 'docker.io/library/web:1',
    'proa/hello': 'docker.io/proa/hello:latest',
    'docker.io/web': 'docker.io/library/web:latest',
    'index.docker.io/team/web:2': 'docker.io/team/web:2',
    'localhost/web': 'localhost/web:latest',
    'localhost:5000/web': 'localhost:5000/web:latest',
    'registry.example:5000/a/b:2': 'registry.example:5000/a/b:2',
    'registry.example/a/b/c:1': 'registry.example/a/b/c:1',
    'UPPER/case:x': 'UPPER/case:x',
    '[::1]:5000/a': '[::1]:5000/a:latest',
    'a__b-c--d/e.f': 'docker.io/a__b-c--d/e.f:latest',
    [`web@${digest}`]: `docker.io/library/web@${digest}`,
    [`web:1@${digest}`]: `docker.io/library/web:1@${digest}`,
  }
  for (const [name, full] of Object.entries(fullNames))
    test(`${name} is ${full} in full`, () => assert.equal(fullImageName(name), full))

  test('has a repository, a tag and a digest', () => {
    assert.deepEqual(parseImageName('localhost:5000/a/b:v1'), {
      repository: 'localhost:5000/a/b',
      tag: 'v1',
      digest: '',
    })
    assert.deepEqual(parseImageName(`a@${digest}`), { repository: 'docker.io/library/a', tag: '', digest })
    assert.deepEqual(parseImageName('a'), { repository: 'docker.io/library/a', tag: 'latest', digest: '' })
  })

  const invalid = [
    '',
    '-a',
    'a b',
    'a//b',
    'a:',
    'a::1',
    'a:-x',
    'a..b',
    'a___b',
    'UPPER',
    'team/UPPER',
    'a:b/c',
    'a:1:2',
    'a@sha256:short',
    `a@sha256:${'0'.repeat(63)}`,
    `a@sha256:${'A'.repeat(64)}`,
    `a@md5:${'0'.repeat(32)}`,
    `a@${digest}@${digest}`,
    'a'.repeat(64),
    'b'.repeat(256),
    'x'.repeat(10_000),
    `r.example/${'c/'.repeat(130)}d`,
  ]
  for (const text of invalid)
    test(`cannot be "${text.slice(0, 40)}"`, () => {
      assert.equal(parseImageName(text), undefined)
      assert.throws(() => fullImageName(text), { message: `${text} is not the name of an image` })
    })

  test('is split by its form alone, whatever its length and its digest', () => {
    const long = 'b'.repeat(300)
    assert.deepEqual(splitImageName(long), { name: long, tag: undefined, digest: undefined })
    const unknown = `md5:${'0'.repeat(32)}`
    assert.deepEqual(splitImageName(`r.example:5000/a:1@${unknown}`), {
      name: 'r.example:5000/a',
      tag: '1',
      digest: unknown,
    })
    assert.equal(splitImageName('a:'), undefined)
  })
})
