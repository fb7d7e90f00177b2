import assert from 'node:assert/strict'
import { eventually, eventuallyEquals, kubectlClusterSuite, objectNames } from './cluster-suite.js'
import type { Kubectl } from './kubectl.js'

kubectlClusterSuite('kubectl and the work of a cluster', {
  'scale: pods come and go, ready ones last; a wrong expectation is refused': async (kubectl, play) => {
    await kubectl.ok('create', 'deployment', 'web', '--image=x', '--replicas=2')
    await play({ podStatus: 'app=web', count: 1 })
    const refused = await kubectl.fails('scale', 'deployment/web', '--replicas=5', '--current-replicas=4')
    assert.match(refused, /Expected replicas to be 4, was 2/)
    assert.equal(await kubectl.ok('scale', 'deployment/web', '--replicas=5'), 'deployment.apps/web scaled\n')
    await eventuallyEquals(kubectl, 'deployment/web', '.status.replicas', 5)
    await kubectl.ok('scale', 'deployment/web', '--replicas=1')
    await eventuallyEquals(kubectl, 'deployment/web', '.status.replicas', 1)
    await eventually(async () => {
      const [, ...rows] = await kubectl.table('get', 'pods')
      assert.deepEqual(
        rows.map(([, ready, status]) => [ready, status]),
        [['1/1', 'Running']],
      )
    })
    await kubectl.ok('scale', 'deployment/web', '--replicas=0')
    await eventually(async () => assert.deepEqual(await objectNames(kubectl, 'pods'), []))
  },
  'delete --cascade=background: the deployment goes at once, replica sets and pods soon': async (kubectl) => {
    await deployed(kubectl)
    const said = await kubectl.ok('delete', 'deployment', 'web', '--cascade=background')
    assert.match(said, /^deployment.apps "web" deleted/)
    await eventually(async () => assert.deepEqual(await objectNames(kubectl, 'deployments,replicasets,pods'), []))
  },
  'delete --cascade=foreground: nothing is left when it returns': async (kubectl) => {
    await deployed(kubectl)
    await kubectl.ok('delete', 'deployment', 'web', '--cascade=foreground')
    assert.deepEqual(await objectNames(kubectl, 'deployments,replicasets,pods'), [])
  },
  'delete --cascade=orphan: replica set and pods stay, and a deployment that comes later takes them over': async (
    kubectl,
  ) => {
    await deployed(kubectl)
    const before = await objectNames(kubectl, 'replicasets,pods')
    await kubectl.ok('delete', 'deployment', 'web', '--cascade=orphan')
    const owner = '--output=jsonpath={.items[*].metadata.ownerReferences[*].kind}'
    await eventually(async () => assert.equal(await kubectl.ok('get', 'replicasets', owner), ''))
    assert.deepEqual(await objectNames(kubectl, 'deployments,replicasets,pods'), before)
    await deployed(kubectl)
    assert.equal(await kubectl.ok('get', 'replicasets', owner), 'Deployment')
    assert.deepEqual(await objectNames(kubectl, 'replicasets,pods'), before)
  },
  'delete pod: another takes its place': async (kubectl) => {
    await deployed(kubectl)
    const [pod = ''] = await objectNames(kubectl, 'pods')
    await kubectl.ok('delete', pod)
    await eventually(async () => {
      const now = await objectNames(kubectl, 'pods')
      assert.equal(now.length, 2)
      assert.ok(!now.includes(pod))
    })
  },
  'create job: its pod runs once, and wait returns when it is complete': async (kubectl, play) => {
    assert.equal(await kubectl.ok('create', 'job', 'once', '--image=x', '--', 'true'), 'job.batch/once created\n')
    await play({ podStatus: 'job-name=once', phase: 'Succeeded', count: 1 })
    await kubectl.ok('wait', '--for=condition=Complete', 'job/once', '--timeout=30s')
    const [head, row] = await kubectl.table('get', 'jobs')
    assert.deepEqual(head, ['NAME', 'STATUS', 'COMPLETIONS', 'DURATION', 'AGE'])
    assert.deepEqual(row!.slice(0, 3), ['once', 'Complete', '1/1'])
    const [pod = ''] = await objectNames(kubectl, 'pods')
    const created = `Created pod: ${pod.replace('pod/', '')}`
    await eventually(async () => {
      const [, ...rows] = await kubectl.table('events', '--for=job/once')
      assert.deepEqual(
        rows.map(([, type, reason, , message]) => [type, reason, message]),
        [
          ['Normal', 'SuccessfulCreate', created],
          ['Normal', 'Completed', 'Job completed'],
        ],
      )
    })
    await kubectl.ok('delete', 'job', 'once')
    await eventually(async () => assert.deepEqual(await objectNames(kubectl, 'jobs,pods'), []))
  },
  'create job: one that fails is told as failed': async (kubectl, play) => {
    const spec = {
      backoffLimit: 0,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } },
    }
    await kubectl.create({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'bad' }, spec })
    await play({ podStatus: 'job-name=bad', phase: 'Failed', exit: 1, count: 1 })
    await kubectl.ok('wait', '--for=condition=Failed', 'job/bad', '--timeout=30s')
    const [, row] = await kubectl.table('get', 'jobs')
    assert.deepEqual(row!.slice(0, 3), ['bad', 'Failed', '0/1'])
    const described = await kubectl.ok('describe', 'job', 'bad')
    assert.match(described, /Pods Statuses: +0 Active \(0 Ready\) \/ 0 Succeeded \/ 1 Failed\n/)
    assert.match(
      described,
      /Warning +BackoffLimitExceeded +\S+ +job-controller +Job has reached the specified backoff limit\n/,
    )
  },
  'create quota: what goes beyond it is refused to the replica set, and told': async (kubectl) => {
    await kubectl.ok('create', 'quota', 'few', '--hard=pods=1')
    await eventuallyEquals(kubectl, 'quota/few', '.status.used.pods', 0)
    await kubectl.ok('create', 'deployment', 'web', '--image=x', '--replicas=2')
    await kubectl.ok('wait', '--for=condition=ReplicaFailure', 'deployment/web', '--timeout=30s')
    await eventuallyEquals(kubectl, 'quota/few', '.status.used.pods', 1)
    assert.match(await kubectl.ok('describe', 'quota', 'few'), /\npods +1 +1\n/)
    await eventually(async () =>
      assert.match(
        await kubectl.ok('get', 'events'),
        /Warning +FailedCreate +replicaset\/web-\S+ +Error creating: pods "web-\S+" is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1\n/,
      ),
    )
  },
  'delete ns: it returns when nothing is left, workloads included': async (kubectl, play) => {
    await deployed(kubectl)
    await kubectl.ok('create', 'job', 'once', '--image=x')
    await play({ podStatus: '', count: 2 })
    assert.match(await kubectl.ok('delete', 'ns', kubectl.namespace), /^namespace "\S+" deleted/)
    assert.match(await kubectl.fails('get', 'ns', kubectl.namespace), /NotFound/)
    assert.deepEqual(
      await objectNames(kubectl, 'deployments,replicasets,jobs,pods,serviceaccounts,configmaps,events'),
      [],
    )
  },
})

/** Two pods, which nobody runs. */
async function deployed(kubectl: Kubectl): Promise<void> {
  await kubectl.ok('create', 'deployment', 'web', '--image=x', '--replicas=2')
  await eventuallyEquals(kubectl, 'deployment/web', '.status.unavailableReplicas', 2)
}
