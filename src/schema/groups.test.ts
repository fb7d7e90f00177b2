import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareApiVersions, groupVersionOf, linkGroups } from './groups.js'
import { kind, schema } from './schema.js'

const resource = { plural: 'things' }
const sails = { short: 'sails', name: 'sails.example.com', legacy: [], openapi: 'com.example.sails' }

describe('API groups', () => {
  it('serve the versions that have resources, the preferred one first', () => {
    const declarations = [
      kind('sails/v1beta1.Jib', { resource }),
      kind('sails/v2.Jib', { resource }),
      kind('sails/v1.Jib', { resource }),
      kind('sails/v3.Jib', { listed: true }),
      schema('sails/v4.Cloth'),
    ]
    assert.deepEqual(linkGroups([sails], declarations), [{ ...sails, served: ['v2', 'v1', 'v1beta1'] }])
  })

  it('that are not declared come after the declared ones, with the name that their types use', () => {
    assert.deepEqual(linkGroups([sails], [kind('oars.example.com/v1.Oar', { resource })]), [
      { ...sails, served: [] },
      { short: 'oars.example.com', name: 'oars.example.com', legacy: [], openapi: 'com.example.oars', served: ['v1'] },
    ])
  })

  it('are part of type names', () => {
    assert.deepEqual(groupVersionOf('oars.example.com/v1.Oar'), ['oars.example.com', 'v1'])
  })
})

describe('API versions', () => {
  it('are ordered by stability, then by number; versions of another form come last', () => {
    const ordered = ['v10', 'v2', 'v1', 'v3beta1', 'v1beta2', 'v1beta1', 'v12alpha1', 'v1alpha2', 'final', 'v1.1']
    assert.deepEqual([...ordered].reverse().sort(compareApiVersions), ordered)
  })
})
