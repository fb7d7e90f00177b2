import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMap } from '../api/core/v1/config-map.js'
import { text } from '../base/flags/flag-types.js'
import { parseFlags } from '../base/flags/flags.js'
import { keyOf } from '../client/informers/informer.js'
import { startTestApiServer } from '../testing/servers/api-server.js'
import { inProcessClient } from '../testing/servers/clients.js'
import { flagsOf, rolesOf } from './catalogue.js'
import { defineController } from './definition.js'
import { inProcessTransports, startControllers } from './manager.js'

/** All of a controller: what `src/controllers/greeting/controller.ts` would export. */
const greeting = defineController({
  name: 'greeting-controller',
  alias: 'greeting',
  serviceAccount: 'greeting-controller',
  rules: ['update on configmaps of core'],
  flags: { 'greeting-text': text('What config maps are greeted with.', { placeholder: 'TEXT', initial: 'hello' }) },
  create: (controller, { flags }) =>
    controller.for(ConfigMap).reconcile({
      async observe(key, { informers }) {
        return informers.of(ConfigMap).get(key)
      },
      decide({ metadata, data }) {
        const isAsked = metadata.labels?.greet === 'yes' && data?.greeting === undefined
        return isAsked ? { ...data, greeting: flags['greeting-text'] } : undefined
      },
      async act(data, map, { client }) {
        await client.resource(ConfigMap).update({ ...map, data })
      },
    }),
})

test('a definition is all that a new controller needs: flag, role, account and loop derive from it', async () => {
  const definitions = [greeting]
  const flags = { controllers: ['greeting'], ...parseFlags(flagsOf(definitions), ['--greeting-text=hi']) }
  await using server = await startTestApiServer({ options: { controllerRoles: rolesOf(definitions) } })
  const controllers = startControllers({
    environment: server.environment,
    definitions,
    flags,
    ...inProcessTransports(server.api.handleInProcess),
  })
  assert.deepEqual(controllers.names, ['greeting-controller'])
  await controllers.synced()
  const client = inProcessClient(server)
  const labels = { greet: 'yes' }
  const { metadata } = await client
    .resource(ConfigMap)
    .create({ metadata: { name: 'm', namespace: 'default', labels } })
  const maps = controllers.informers.of(ConfigMap)
  while (maps.get(keyOf({ metadata }))?.data?.greeting === undefined)
    await new Promise<void>((resolve) => {
      const unsubscribe = maps.onChange(() => {
        unsubscribe()
        resolve()
      })
    })
  assert.deepEqual(maps.get(keyOf({ metadata }))?.data, { greeting: 'hi' })
  await controllers.close()
  client.close()
})
