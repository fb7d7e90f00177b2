import assert from 'node:assert/strict'
import { comparisonSuite } from '../comparison.test.kit.js'

function pod(name: string, phase: string, metadata = {}) {
  const main = { image: 'web' }
  const containers = [
    { name: 'main', ...main },
    { name: 'side', tty: true, stdin: true, ...main },
  ]
  const spec = { nodeName: 'none', containers, initContainers: [{ name: 'first', ...main }] }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...metadata }, spec, status: { phase } }
}

/** Removes the notice that newer versions print. */
const calm = (text: string) => text.replace(/^All commands and output from this session.*\n/m, '')

comparisonSuite('kubectl attach', {
  'what makes no sense is refused before anything is sent': async (both) => {
    await both.sameLines(`
      attach
      attach a b c
      attach web --pod-running-timeout=0s
      attach nothing
      attach pods nothing
      attach nosuchtype/web
      attach nosuchtype web
    `)
  },

  'what is over, what is not there, and which container': async (both) => {
    await both.givenPods(
      pod('p', 'Running'),
      pod('named', 'Running', { annotations: { 'kubectl.kubernetes.io/default-container': 'side' } }),
      pod('done', 'Succeeded'),
      pod('failed', 'Failed'),
    )
    await both.given({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map' } })
    const said = await both.same(['attach', 'p'], { calm })
    assert.match(said.stderr, /^Defaulted container "main" out of: main, side, first \(init\)\nAll commands and output/)
    for (const line of [
      'attach pod p -c side',
      'attach p -c first',
      'attach p -c nothing',
      'attach p -q',
      'attach p -c main -it',
      'attach p -c main -t',
      'attach p -c side -it',
      'attach p -c side -i',
      'attach p -c side -it -q',
      'attach named',
      'attach done',
      'attach failed',
      'attach configmap/map',
    ])
      await both.same(line.split(' '), { calm })
  },

  'of what selects pods, the best one': async (both) => {
    const labels = { app: 'web' }
    const ready = { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] }
    const used = pod('used', 'Running', { labels })
    await both.givenPods(pod('a-done', 'Succeeded', { labels }), pod('b-waits', 'Pending', { labels }))
    await both.givenPods(pod('c-starts', 'Running', { labels }), { ...used, status: { ...used.status, ...ready } })
    const spec = { selector: labels, ports: [{ port: 80 }] }
    await both.given({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec })
    const { stderr } = await both.same(['attach', 'svc/s', '-c', 'nothing'])
    assert.equal(stderr, 'error: cannot attach to the container: container nothing not found in pod used\n')
    await both.same(['exec', 'svc/s', '-c', 'nothing', '--', 'ls'])
  },
})
