import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../schema/declaration.js'
import type { RestRequest } from '../factory/request.js'
import type { ResourceObject } from '../resources/resource-object.js'
import { EditFailures } from './failures.js'
import type { EditContext } from './flags.js'
import { submitPatches } from './patch.js'

const resource = { root: '/apis/example.com/v1', group: 'example.com', version: 'v1', kind: 'Boat', plural: 'boats' }

const boat = (...hulls: readonly string[]): ResourceObject => ({
  resource: { ...resource, namespaced: true } as unknown as ResourceObject['resource'],
  namespace: 'sea',
  name: 'proa',
  object: { apiVersion: 'example.com/v1', kind: 'Boat', metadata: { name: 'proa', uid: '1' }, hulls } as JsonObject,
  source: '',
})

/** A server that supports no strategic merge patches and returns the request body. */
function call(sent: RestRequest[], printed: string[]) {
  const rest = {
    async json(request: RestRequest) {
      if (request.path.startsWith('/openapi')) return {}
      sent.push(request)
      return boat('main', 'ama').object
    },
  }
  return {
    factory: { rest: async () => rest } as unknown as EditContext['factory'],
    line: 'kubectl edit boat proa',
    out: async (text: string | Uint8Array) => void printed.push(String(text)),
    err: async () => undefined,
    flags: {
      ...{ output: '', template: '', 'allow-missing-template-keys': true, 'show-managed-fields': false },
      ...{ validate: 'strict', record: false, 'field-manager': 'me', 'windows-line-endings': false },
      ...{ 'output-patch': true, subresource: '' },
    },
  }
}

describe('what was edited', () => {
  test('goes as a merge patch to kinds that the server does not merge by their fields', async () => {
    const [sent, printed]: [RestRequest[], string[]] = [[], []]
    await submitPatches(call(sent, printed))([boat('main', 'ama')], [boat('main')], new EditFailures())
    assert.deepEqual(sent, [
      {
        method: 'PATCH',
        path: '/apis/example.com/v1/namespaces/sea/boats/proa',
        query: { fieldManager: 'me', fieldValidation: 'Strict' },
        body: { hulls: ['main', 'ama'] },
        contentType: 'application/merge-patch+json',
      },
    ])
    assert.deepEqual(printed, ['Patch: {"hulls":["main","ama"]}\n', 'boat.example.com/proa edited\n'])
  })

  test('is not sent where an object became another one', async () => {
    const sent: RestRequest[] = []
    const { object, ...rest } = boat('main')
    const other = { ...rest, object: { ...object, kind: 'Ship' } }
    await assert.rejects(
      submitPatches(call(sent, []))([other], [boat('main')], new EditFailures()),
      /^Error: At least one of apiVersion, kind and name was changed$/,
    )
    assert.deepEqual(sent, [])
  })
})
