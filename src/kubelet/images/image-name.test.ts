import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { imageName } from './image-name.js'

const digest = `sha256:${'0'.repeat(64)}`

describe('the name of an image', () => {
  const names: readonly (readonly [written: string, image: string, repository: string])[] = [
    ['web', 'web:latest', 'docker.io/library/web'],
    ['web:1', 'web:1', 'docker.io/library/web'],
    ['team/web', 'team/web:latest', 'docker.io/team/web'],
    ['docker.io/web', 'docker.io/web:latest', 'docker.io/library/web'],
    ['index.docker.io/team/web:2', 'index.docker.io/team/web:2', 'docker.io/team/web'],
    ['localhost/web', 'localhost/web:latest', 'localhost/web'],
    ['localhost:5000/web', 'localhost:5000/web:latest', 'localhost:5000/web'],
    ['registry.example/a/b/c:1', 'registry.example/a/b/c:1', 'registry.example/a/b/c'],
    ['UPPER/case:x', 'UPPER/case:x', 'UPPER/case'],
    [`web@${digest}`, `web@${digest}`, 'docker.io/library/web'],
    [`web:1@${digest}`, `web:1@${digest}`, 'docker.io/library/web'],
  ]
  for (const [written, image, repository] of names)
    test(`${written} becomes ${image}`, () => assert.deepEqual(imageName(written), { image, repository }))

  const wrong: readonly (readonly [written: string, problem: string])[] = [
    ['UPPER', 'invalid reference format: repository name (library/UPPER) must be lowercase'],
    ['team/Web:1', 'invalid reference format: repository name (team/Web) must be lowercase'],
    ['web:', 'invalid reference format'],
    ['web::1', 'invalid reference format'],
    ['-web', 'invalid reference format'],
    ['', 'invalid reference format'],
    ['a'.repeat(64), `invalid repository name (${'a'.repeat(64)}), cannot specify 64-byte hexadecimal strings`],
    ['web@sha256:abc', 'invalid reference format'],
    [`web@sha256:${'0'.repeat(63)}`, 'invalid checksum digest length'],
    [`web@md5:${'0'.repeat(32)}`, 'unsupported digest algorithm'],
    ['x'.repeat(300), 'repository name must not be more than 255 characters'],
  ]
  for (const [written, problem] of wrong)
    test(`${written.slice(0, 40)} is invalid`, () =>
      assert.throws(() => imageName(written), { message: `couldn't parse image name "${written}": ${problem}` }))
})
