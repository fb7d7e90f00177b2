import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namespace, openPluginHarness, pod, rejectionOf } from '../admission.test.kit.js'
import { namespaceLifecycle } from './namespace-lifecycle.js'

test('nothing is made in a namespace that is missing or going', async () => {
  const harness = await openPluginHarness()
  const plugin = harness.create(namespaceLifecycle)
  assert.equal(await rejectionOf(harness.admit(plugin, { object: pod('a') })), 'namespaces "here" not found')
  await harness.store(namespace('here', {}, 'Terminating'))
  assert.equal(
    await rejectionOf(harness.admit(plugin, { object: pod('a') })),
    'pods "a" is forbidden: unable to create new content in namespace here because it is being terminated',
  )
})

test('what is there in a namespace that goes may change and be deleted', async () => {
  const harness = await openPluginHarness()
  await harness.store(namespace('here', {}, 'Terminating'))
  const plugin = harness.create(namespaceLifecycle)
  await harness.admit(plugin, { object: pod('a'), old: pod('a') })
  await harness.admit(plugin, { old: pod('a'), operation: 'DELETE' })
})

test('some namespaces cannot be deleted', async () => {
  const harness = await openPluginHarness()
  const plugin = harness.create(namespaceLifecycle)
  const deletion = (name: string) => harness.admit(plugin, { old: namespace(name), operation: 'DELETE' })
  assert.match(await rejectionOf(deletion('kube-system')), /this namespace may not be deleted/)
  await deletion('mine')
})
