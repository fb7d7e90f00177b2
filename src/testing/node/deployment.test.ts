import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Deployment } from '../../api/apps/v1/deployment.js'
import { server, until } from './node-harness.js'
import { nodeSuite } from './node-suite.js'

const run = promisify(execFile)

/** The seeds from beginning to end: somebody wants three of something, and in the end each of them answers. */
await nodeSuite('a created deployment', {
  'ends as containers that answer on the addresses of their pods': async (harness) => {
    const labels = { app: 'web' }
    const template = {
      metadata: { labels },
      spec: {
        containers: [server('web', 8080, { ports: [{ containerPort: 8080 }] })],
        terminationGracePeriodSeconds: 1,
      },
    }
    const deployments = harness.client.resource(Deployment).in(harness.namespace)
    await deployments.create({
      metadata: { name: 'web' },
      spec: { replicas: 3, selector: { matchLabels: labels }, template },
    } as never)
    await until(async () => (await deployments.get('web')).status.availableReplicas === 3)
    const { items: pods } = await harness.pods.list({ labelSelector: 'app=web' })
    assert.equal(pods.length, 3)
    for (const { metadata, spec, status } of pods) {
      assert.equal(spec.nodeName, harness.node.name)
      assert.deepEqual(
        [status.phase, status.qosClass, status.hostIP],
        ['Running', 'BestEffort', harness.node.identity.hostAddresses[0]],
      )
      const { stdout } = await run('curl', ['--silent', '--fail', `http://${status.podIP}:8080/`])
      assert.equal(stdout, `${metadata.name}\n`)
      await harness.event(metadata.name!, /Started/)
      const reasons = (await harness.events(metadata.name!)).map((event) => event.replace(/:.*/, ''))
      assert.deepEqual(reasons, ['Normal Scheduled', 'Normal Pulled', 'Normal Created', 'Normal Started'])
    }
    assert.equal(new Set(pods.map(({ status }) => status.podIP)).size, 3)
    await deployments.delete('web')
  },
})
