import type { JsonObject } from '../../schema/declaration.js'
import { configMap, deploymentWithImage } from '../../testing/kubectl/suite.js'
import { comparisonSuite } from '../comparison.test.kit.js'

const node = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { pool: '@own' } },
  spec,
})

/** A pod on the node of each command. No kubelet runs it, so a deletion takes effect immediately. */
const pod = (name: string, metadata: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { nodeName: '@own', containers: [{ name: 'main', image: 'nginx' }], ...spec },
})

const owner = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: '1', controller: true }],
})

comparisonSuite('our kubectl and nodes:', {
  'closed ones and open ones': async (both) => {
    await both.given(node('@own'), node('@own-2'))
    await both.sameLines(`
      cordon @own --dry-run=client
      cordon @own --dry-run=server
      cordon @own
      cordon @own
      get node @own -o jsonpath={.spec}
      cordon @own @own-2
      uncordon -l pool=@own
      uncordon @own
      get node @own -o jsonpath={.spec}
      uncordon @own -o name
      cordon -l pool=none
      cordon
      cordon nosuch
      cordon @own -l pool=a
      uncordon
    `)
  },
  taints: async (both) => {
    await both.given(
      node('@own'),
      node('@own-2'),
      node('@own-tainted', { taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }] }),
    )
    await both.sameLines(`
      taint nodes @own a=b:NoSchedule --dry-run=client
      taint nodes @own a=b:NoSchedule c:NoExecute --dry-run=server -o jsonpath={.spec.taints}
      taint nodes -l pool=@own x=b:NoSchedule --dry-run=client -o name
      taint nodes @own a=b:NoSchedule d:PreferNoSchedule
      taint no @own a=b:NoSchedule
      taint node @own a=c:NoSchedule --overwrite
      taint node @own a- d=e:PreferNoSchedule --overwrite
      taint node @own a-
      taint node @own d:PreferNoSchedule-
      taint node @own a:NoSchedule-
      get nodes -l pool=@own -o jsonpath={..taints}
      taint nodes @own-tainted a=c:NoSchedule --dry-run=server
      taint nodes @own-tainted a- b=c:NoExecute --dry-run=server
      taint nodes @own-tainted a=d:NoExecute a:NoSchedule- --dry-run=server -o jsonpath={.spec.taints}
      taint nodes @own-tainted x- y- --dry-run=server
      taint nodes
      taint nodes @own
      taint nodes a=b:NoSchedule
      taint nodes @own a=b
      taint nodes @own a=b:Nosuch
      taint nodes @own a=b:NoSchedule two
      taint nodes @own a:b:NoSchedule
      taint nodes @own a=b=c:NoSchedule
      taint nodes @own 'a=b c:NoSchedule'
      taint nodes @own /=b:NoSchedule
      taint nodes @own a=b:NoSchedule a=c:NoSchedule
      taint nodes @own a=b:NoSchedule a-
      taint nodes @own a=b:NoSchedule a:NoSchedule-
      taint pods @own a=b:NoSchedule
      taint nosuch @own a=b:NoSchedule
      taint nodes --all -l a=b a=b:NoSchedule
      taint nodes nosuch a=b:NoSchedule
    `)
  },
  'emptied ones': async (both) => {
    const daemonSet = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'every' },
      spec: { ...(deploymentWithImage('every').spec as JsonObject), replicas: undefined } as unknown as JsonObject,
    }
    await both.given(node('@own'), daemonSet, pod('owned', owner('ReplicaSet', 'web')))
    await both.sameLines(`
      drain @own --dry-run=client
      drain @own --dry-run=server
      drain @own --grace-period=0
      get node @own -o jsonpath={.spec}
      drain @own
      drain
      drain nosuch
      drain @own --pod-selector=a=(
    `)
    await both.given(
      pod('alone'),
      pod('of-every', owner('DaemonSet', 'every')),
      pod('orphan', owner('DaemonSet', 'gone')),
    )
    await both.given(pod('with-data', owner('ReplicaSet', 'web'), { volumes: [{ name: 'x', emptyDir: {} }] }))
    await both.sameLines(`
      drain @own --pod-selector=a=b
      delete pod orphan --grace-period=0 --force
      delete pod with-data of-every --grace-period=0 --force
      drain @own
      drain @own --force --grace-period=0 --dry-run=client
      drain @own --force --grace-period=0
      get pods -o name
    `)
    await both.given(pod('of-every', owner('DaemonSet', 'every')))
    await both.sameLines(`
      drain @own
      drain @own --ignore-daemonsets
      delete pod of-every --grace-period=0 --force
    `)
    await both.given(pod('orphan', owner('DaemonSet', 'gone')))
    await both.sameLines(`
      drain @own --ignore-daemonsets
      drain @own --force --disable-eviction --grace-period=0
    `)
    await both.given(pod('with-data', owner('ReplicaSet', 'web'), { volumes: [{ name: 'x', emptyDir: {} }] }))
    await both.sameLines(`
      drain @own
      drain @own --delete-emptydir-data --timeout=1s
      drain @own --delete-emptydir-data --grace-period=0
      get pods -o name
    `)
  },
  autoscalers: async (both) => {
    await both.given(deploymentWithImage('web'), configMap('x'))
    await both.sameLines(`
      autoscale deployment web --max=3 --dry-run=client -o yaml
      autoscale deployment web --min=2 --max=3 --cpu-percent=50 --dry-run=client -o json
      autoscale deploy/web --min=2 --max=3 --cpu-percent=50 --name=other
      autoscale deploy/web --max=3 --save-config
      autoscale deploy/web --max=3
      get hpa other -o jsonpath={.spec}
      autoscale deploy web
      autoscale deploy web --max=0
      autoscale deploy web --max=1 --min=2
      autoscale cm x --max=1
      autoscale deploy nosuch --max=1
      autoscale --max=1
    `)
  },
})
