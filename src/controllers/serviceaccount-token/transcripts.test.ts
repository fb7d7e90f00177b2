import { test } from 'node:test'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'
import { tokenSecret, viewOfTokens } from './secrets.test.kit.js'

const controllers = ['serviceaccount-token-controller']

test('a secret that asks for a token gets one, and goes with its account', () =>
  checkTranscript({ of: import.meta.url, name: 'tokens' }, { controllers, view: viewOfTokens }, async (stage) => {
    const { client } = stage.cluster
    const accounts = client.resource(ServiceAccount).in('default')
    const secrets = client.resource(Secret).in('default')
    await stage.step('an account that lists a secret, which comes after it', async () => {
      await accounts.create({ metadata: { name: 'robot' }, secrets: [{ name: 'robot-token' }, { name: 'other' }] })
      await secrets.create(tokenSecret('robot-token', 'robot'))
    })
    await stage.step('somebody takes the token away, and writes another authority', async () => {
      const secret = await secrets.get('robot-token')
      await secrets.update({ ...secret, data: { 'ca.crt': 'b3RoZXI=', extra: 'bW9yZQ==' } })
    })
    await stage.step('a secret of an account that is not there', () => secrets.create(tokenSecret('lost', 'nobody')))
    await stage.step('other secrets are left alone', () =>
      secrets.create({ metadata: { name: 'opaque', annotations: { 'kubernetes.io/service-account.name': 'nobody' } } }),
    )
    await stage.step('the secret is deleted, and the account forgets it', () => secrets.delete('robot-token'))
    await stage.step('two more', async () => {
      await secrets.create(tokenSecret('one', 'robot'))
      await secrets.create(tokenSecret('two', 'robot'))
    })
    await stage.step('the account is another one of the same name', async () => {
      await accounts.delete('robot')
      await accounts.create({ metadata: { name: 'robot' } })
    })
  }))
