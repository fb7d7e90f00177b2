import { ConfigMap } from '../../api/core/v1/config-map.js'
import { text } from '../../base/flags/flag-types.js'
import { defineController } from '../definition.js'

/** All of a controller. `toy-controller.test.ts` copies this file to `greeting/controller.ts`. */
export const definition = defineController({
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
        const isRequested = metadata.labels?.greet === 'yes' && data?.greeting === undefined
        return isRequested ? { ...data, greeting: flags['greeting-text'] } : undefined
      },
      async act(data, map, { client }) {
        await client.resource(ConfigMap).update({ ...map, data })
      },
    }),
})
