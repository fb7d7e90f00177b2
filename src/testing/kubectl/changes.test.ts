import assert from 'node:assert/strict'
import { once } from 'node:events'
import { configMap, deploymentWithImage, kubectlSuite, nodeManifest, podManifest } from './suite.js'

kubectlSuite('kubectl changes and deletes', {
  'labels and annotations are set, protected, overwritten and removed': async (kubectl) => {
    await kubectl.create(podManifest('web'))
    assert.equal(await kubectl.ok('label', 'pod', 'web', 'tier=front'), 'pod/web labeled\n')
    assert.match(await kubectl.fails('label', 'pod', 'web', 'tier=back'), /'tier' already has a value \(front\)/)
    await kubectl.ok('label', 'pod', 'web', 'tier=back', '--overwrite')
    assert.equal(await kubectl.ok('get', 'pods', '--selector=tier=back', '--output=name'), 'pod/web\n')
    assert.equal(await kubectl.ok('label', 'pod', 'web', 'tier-'), 'pod/web unlabeled\n')
    assert.match(await kubectl.fails('label', 'pod', 'web', 'tier=not valid'), /a valid label must be/)
    assert.equal(await kubectl.ok('annotate', 'pods', '--all', 'note=hello there'), 'pod/web annotated\n')
    assert.equal(await kubectl.ok('get', 'pod', 'web', '--output=jsonpath={.metadata.annotations.note}'), 'hello there')
  },
  'scale sets replicas, if they are what one thinks': async (kubectl) => {
    await kubectl.create(deploymentWithImage('web', 'nginx:1', 2))
    assert.equal(await kubectl.ok('scale', 'deploy', 'web', '--replicas=5'), 'deployment.apps/web scaled\n')
    assert.match(
      await kubectl.fails('scale', 'deploy', 'web', '--current-replicas=1', '--replicas=3'),
      /Expected replicas to be 1, was 5/,
    )
    assert.equal(
      await kubectl.ok('get', 'deploy', 'web', '--output=jsonpath={.spec.replicas} {.metadata.generation}'),
      '5 2',
    )
    await kubectl.ok('autoscale', 'deploy', 'web', '--min=1', '--max=9')
    assert.equal((await kubectl.table('get', 'hpa', 'web'))[1]?.[1], 'Deployment/web')
  },
  'set changes images, environment, resources, accounts and selectors': async (kubectl) => {
    await kubectl.create(deploymentWithImage('web'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { ports: [{ port: 80 }] },
    })
    assert.equal(await kubectl.ok('set', 'image', 'deploy/web', 'main=nginx:9'), 'deployment.apps/web image updated\n')
    await kubectl.ok('set', 'env', 'deploy/web', 'A=B', 'C=D')
    await kubectl.ok('set', 'env', 'deploy/web', 'A-')
    await kubectl.ok('set', 'resources', 'deploy/web', '--limits=cpu=200m,memory=512Mi', '--requests=cpu=100m')
    await kubectl.ok('set', 'serviceaccount', 'deploy/web', 'default')
    const { spec } = (await kubectl.json('get', 'deploy', 'web')) as unknown as { spec: { template: { spec: Pod } } }
    const [container] = spec.template.spec.containers
    assert.equal(container?.image, 'nginx:9')
    assert.deepEqual(container?.env, [{ name: 'C', value: 'D' }])
    assert.deepEqual(container?.resources, { limits: { cpu: '200m', memory: '512Mi' }, requests: { cpu: '100m' } })
    assert.equal(spec.template.spec.serviceAccountName, 'default')
    await kubectl.ok('set', 'selector', 'service', 'web', 'app=web')
    assert.equal(await kubectl.ok('get', 'service', 'web', '--output=jsonpath={.spec.selector.app}'), 'web')
    assert.match(
      await kubectl.fails('set', 'image', 'deploy/web', 'none=nginx'),
      /unable to find container named "none"/,
    )
  },
  'rollouts are restarted, paused and looked at': async (kubectl) => {
    await kubectl.create(deploymentWithImage('web'))
    assert.equal(await kubectl.ok('rollout', 'restart', 'deploy/web'), 'deployment.apps/web restarted\n')
    const restarted = '--output=jsonpath={.spec.template.metadata.annotations.kubectl\\.kubernetes\\.io/restartedAt}'
    assert.match(await kubectl.ok('get', 'deploy', 'web', restarted), /^\d{4}-\d\d-\d\dT/)
    assert.equal(await kubectl.ok('rollout', 'pause', 'deploy/web'), 'deployment.apps/web paused\n')
    assert.match(await kubectl.fails('rollout', 'pause', 'deploy/web'), /is already paused/)
    assert.equal(await kubectl.ok('rollout', 'resume', 'deploy/web'), 'deployment.apps/web resumed\n')
    assert.match(await kubectl.ok('rollout', 'history', 'deploy/web'), /No rollout history found/)
    assert.match(await kubectl.fails('rollout', 'undo', 'deploy/web'), /no rollout history found/)
    assert.match(await kubectl.fails('rollout', 'status', 'deploy/web', '--timeout=100ms'), /timed out waiting/)
    const status = { observedGeneration: 4, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 }
    await kubectl.ok(
      'patch',
      'deploy',
      'web',
      '--subresource=status',
      '--type=merge',
      `--patch=${JSON.stringify({ status })}`,
    )
    assert.equal(await kubectl.ok('rollout', 'status', 'deploy/web'), 'deployment "web" successfully rolled out\n')
  },
  'nodes are tainted, cordoned and drained': async (kubectl) => {
    await kubectl.create(nodeManifest('machine-4'))
    assert.equal(await kubectl.ok('taint', 'node', 'machine-4', 'a=b:NoSchedule'), 'node/machine-4 tainted\n')
    assert.match(await kubectl.ok('get', 'node', 'machine-4', '--output=jsonpath={.spec.taints[*].key}'), /\ba\b/)
    assert.equal(await kubectl.ok('taint', 'node', 'machine-4', 'a-'), 'node/machine-4 untainted\n')
    assert.equal(await kubectl.ok('cordon', 'machine-4'), 'node/machine-4 cordoned\n')
    assert.match((await kubectl.table('get', 'node', 'machine-4'))[1]?.[1] ?? '', /SchedulingDisabled/)
    assert.equal(await kubectl.ok('uncordon', 'machine-4'), 'node/machine-4 uncordoned\n')
    const bound = {
      ...podManifest('bound'),
      spec: {
        nodeName: 'machine-4',
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image: 'busybox' }],
      },
    }
    await kubectl.create(bound)
    assert.match(await kubectl.fails('drain', 'machine-4'), /cannot delete Pods that declare no controller/)
    const drained = await kubectl.ok('drain', 'machine-4', '--force', '--grace-period=0')
    assert.match(drained, /pod\/bound evicted\nnode\/machine-4 drained\n/)
  },
  'delete by name, selector, file and all of a kind': async (kubectl) => {
    const labelled = (name: string) => ({ ...configMap(name), metadata: { name, labels: { go: 'yes' } } })
    await kubectl.create(configMap('one'), configMap('two'), labelled('three'), labelled('four'), configMap('five'))
    assert.equal(await kubectl.ok('delete', 'cm', 'one'), 'configmap "one" deleted\n')
    const both = await kubectl.run(['delete', 'cm', 'two', 'none'])
    assert.equal(both.code, 1)
    assert.equal(both.stdout, 'configmap "two" deleted\n')
    assert.equal(both.stderr, 'Error from server (NotFound): configmaps "none" not found\n')
    assert.equal(await kubectl.ok('delete', 'cm', 'none', '--ignore-not-found'), '')
    assert.equal(
      await kubectl.ok('delete', 'cm', '--selector=go=yes'),
      'configmap "four" deleted\nconfigmap "three" deleted\n',
    )
    await kubectl.run(['delete', '-f', '-'], { input: JSON.stringify(configMap('five')) })
    assert.equal(await kubectl.ok('get', 'cm', '--output=name'), '')
    await kubectl.create(configMap('six'), deploymentWithImage('six'))
    assert.equal(
      await kubectl.ok('delete', 'cm,deploy', '--all'),
      'configmap "six" deleted\ndeployment.apps "six" deleted\n',
    )
  },
  'a pod on a node goes when its node lets it, or by force': async (kubectl) => {
    const bound = {
      ...podManifest('bound'),
      spec: { nodeName: 'somewhere', containers: [{ name: 'main', image: 'busybox' }] },
    }
    await kubectl.create(bound)
    await kubectl.ok('delete', 'pod', 'bound', '--wait=false', '--grace-period=5')
    assert.equal(
      await kubectl.ok('get', 'pod', 'bound', '--output=jsonpath={.metadata.deletionGracePeriodSeconds}'),
      '5',
    )
    assert.equal((await kubectl.table('get', 'pod', 'bound'))[1]?.[2], 'Terminating')
    const forced = await kubectl.run(['delete', 'pod', 'bound', '--grace-period=0', '--force'])
    assert.equal(forced.stdout, 'pod "bound" force deleted\n')
    assert.match(await kubectl.fails('get', 'pod', 'bound'), /NotFound/)
  },
  'wait for a condition, a value, and the end': async (kubectl) => {
    await kubectl.create(podManifest('web'), configMap('conf'))
    const waiting = kubectl.run(['wait', 'pod/web', '--for=condition=Ready', '--timeout=20s'])
    const status = { conditions: [{ type: 'Ready', status: 'True' }], phase: 'Running' }
    await kubectl.ok('patch', 'pod', 'web', '--subresource=status', `--patch=${JSON.stringify({ status })}`)
    assert.equal((await waiting).stdout, 'pod/web condition met\n')
    assert.equal(
      await kubectl.ok('wait', 'pod/web', '--for=jsonpath={.status.phase}=Running', '--timeout=5s'),
      'pod/web condition met\n',
    )
    assert.match(
      await kubectl.fails('wait', 'pod/web', '--for=condition=Other', '--timeout=100ms'),
      /timed out waiting/,
    )
    const gone = kubectl.run(['wait', 'cm/conf', '--for=delete', '--timeout=20s'])
    await kubectl.ok('delete', 'cm', 'conf')
    assert.equal((await gone).code, 0)
  },
  'a finalizer holds a delete that waits': async (kubectl) => {
    await kubectl.create({ ...configMap('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } })
    const deleting = kubectl.start('delete', 'cm', 'held')
    while ((await kubectl.ok('get', 'cm', 'held', '--output=jsonpath={.metadata.deletionTimestamp}')) === '');
    assert.equal(deleting.exitCode, null)
    const ended = once(deleting, 'exit')
    await kubectl.ok('patch', 'cm', 'held', '--type=merge', '--patch={"metadata":{"finalizers":null}}')
    assert.deepEqual(await ended, [0, null])
  },
  'what needs a node says so': async (kubectl) => {
    await kubectl.create(podManifest('idle'))
    assert.match(await kubectl.fails('exec', 'idle', '--', 'ls'), /pod idle does not have a host assigned/)
    assert.equal(await kubectl.ok('logs', 'idle'), '')
  },
  'asking what one may do': async (kubectl) => {
    assert.equal(await kubectl.ok('auth', 'can-i', 'delete', 'nodes'), 'yes\n')
    assert.match(await kubectl.ok('auth', 'whoami'), /system:masters/)
  },
})

interface Pod {
  readonly serviceAccountName: string
  readonly containers: readonly Record<string, unknown>[]
}
