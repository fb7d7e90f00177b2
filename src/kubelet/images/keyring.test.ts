import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matchingCredentials } from './keyring.js'

const credentialFor = (registry: string) => ({
  registry,
  username: registry,
  password: 'secret',
  hash: registry,
  secret: { uid: 'u', namespace: 'default', name: 's' },
})

describe('credentials for a repository', () => {
  const table: readonly (readonly [
    title: string,
    registries: readonly string[],
    repository: string,
    found: string[],
  ])[] = [
    ['are those of its host', ['a.example', 'b.example'], 'a.example/web', ['a.example']],
    ['are for its port', ['a.example', 'a.example:5000'], 'a.example:5000/web', ['a.example:5000']],
    [
      'come with the longest path first',
      ['a.example', 'a.example/team'],
      'a.example/team/web',
      ['a.example/team', 'a.example'],
    ],
    ['are not those of another path', ['a.example/team'], 'a.example/other/web', []],
    [
      'may be written with a scheme',
      ['https://a.example', 'http://a.example/x'],
      'a.example/x/web',
      ['http://a.example/x', 'https://a.example'],
    ],
    [
      'may name the version of the API',
      ['https://a.example/v2/', 'a.example/v1/'],
      'a.example/web',
      ['https://a.example/v2/', 'a.example/v1/'],
    ],
    ['may be for all hosts of a domain', ['*.example'], 'a.example/web', ['*.example']],
    ['are for as many parts as their pattern has', ['*.example'], 'b.a.example/web', []],
    ['may have several patterns', ['r*-x.[a-c]b.example'], 'r1-x.ab.example/web', ['r*-x.[a-c]b.example']],
    ['are not taken for patterns that are none', ['[z-a].example'], 'z.example/web', []],
    [
      'of the public registry may go by its old name',
      ['https://index.docker.io/v1/'],
      'docker.io/library/web',
      ['https://index.docker.io/v1/'],
    ],
    [
      'of the public registry may go by its new name',
      ['docker.io', 'index.docker.io'],
      'docker.io/team/web',
      ['docker.io'],
    ],
    ['of the public registry are for no other', ['index.docker.io'], 'localhost/web', []],
    ['do not match where a dot is another letter', ['axexample'], 'a.example/web', []],
  ]
  for (const [title, registries, repository, found] of table)
    test(title, () => {
      const matching = matchingCredentials(registries.map(credentialFor), repository)
      assert.deepEqual(
        matching.map(({ registry }) => registry),
        found,
      )
    })
})
