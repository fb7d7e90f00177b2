import { Secret } from 'proa/api/core/v1/secret'
import { type Initializer, Refusal } from './initializer.js'

const least = 20

/** No secret has a value that is shorter than 20 characters: most likely that is a password. */
export const longSecrets: Initializer<Secret> = {
  name: 'long-secrets.initializers.example.com',
  objects: (client) => client.resource(Secret),
  complete(secret) {
    for (const [key, value] of Object.entries(secret.data ?? {})) {
      const { length } = Buffer.from(value, 'base64').toString()
      if (length < least) throw new Refusal(`the value of ${key} has ${length} characters, and needs at least ${least}`)
    }
    return secret
  },
}
