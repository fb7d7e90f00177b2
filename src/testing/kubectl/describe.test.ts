import assert from 'node:assert/strict'
import type { JsonObject } from '../../schema/declaration.js'
import type { Kubectl } from './kubectl.js'
import { configMap, deploymentWithImage, kubectlSuite, nodeManifest, podManifest } from './suite.js'

kubectlSuite('kubectl describe', {
  'a pod and its events': async (kubectl) => {
    await kubectl.create(podManifest('web', { app: 'web' }))
    const { metadata } = await kubectl.json('get', 'pod', 'web')
    await kubectl.create(event('web', metadata as JsonObject))
    await describes(kubectl, 'pod/web', [
      /^Name: +web$/m,
      /^Service Account: +default$/m,
      /^Status: +Pending$/m,
      /^QoS Class: +BestEffort$/m,
      /^ +kube-api-access-\w{5}:$/m,
      /node.kubernetes.io\/not-ready:NoExecute op=Exists for 300s/,
      /Warning +FailedScheduling +\w+ +proa-test +no node is there/,
    ])
    const events = await kubectl.ok('events', '--for=pod/web')
    assert.match(events, /Warning +FailedScheduling +Pod\/web +no node is there/)
    const [head, row] = await kubectl.table('get', 'events', '--field-selector=involvedObject.name=web')
    assert.deepEqual(head, ['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'])
    assert.deepEqual(row?.slice(1), ['Warning', 'FailedScheduling', 'pod/web', 'no node is there'])
  },
  'a deployment': async (kubectl) => {
    await kubectl.create(deploymentWithImage('web', 'nginx:1', 3))
    await describes(kubectl, 'deployment/web', [
      /^Selector: +app=web$/m,
      /^Replicas: +3 desired \| 0 updated/m,
      /^RollingUpdateStrategy: +25% max unavailable, 25% max surge$/m,
      /^ +Image: +nginx:1$/m,
    ])
  },
  'stateful sets, daemon sets and replica sets': async (kubectl) => {
    const { spec } = deploymentWithImage('web') as unknown as { spec: JsonObject }
    const { replicas: _, ...withoutReplicas } = spec
    const kind = (name: string, its: JsonObject) => ({
      apiVersion: 'apps/v1',
      kind: name,
      metadata: { name: 'web' },
      spec: its,
    })
    await kubectl.create(
      kind('StatefulSet', { ...spec, serviceName: 'web' }),
      kind('DaemonSet', withoutReplicas),
      kind('ReplicaSet', spec),
    )
    await describes(kubectl, 'statefulset/web', [
      /^Replicas: +2 desired \| 0 total$/m,
      /^Update Strategy: +RollingUpdate$/m,
    ])
    await describes(kubectl, 'daemonset/web', [/^Desired Number of Nodes Scheduled: 0$/m])
    await describes(kubectl, 'replicaset/web', [/^Replicas: +0 current \/ 2 desired$/m])
  },
  'jobs and cron jobs': async (kubectl) => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } }
    await kubectl.create(
      { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'one' }, spec: { template } },
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'often' },
        spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template } } },
      },
    )
    await describes(kubectl, 'job/one', [
      /^Completions: +1$/m,
      /^Backoff Limit: +6$/m,
      /^Selector: +batch.kubernetes.io\/controller-uid=/m,
    ])
    await describes(kubectl, 'cronjob/often', [/^Schedule: +\*\/5 \* \* \* \*$/m, /^Concurrency Policy: +Allow$/m])
  },
  'a service, its ports and addresses': async (kubectl) => {
    const ports = [{ name: 'http', port: 80, targetPort: 8080 }]
    await kubectl.create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { type: 'NodePort', selector: { app: 'web' }, ports },
    })
    await describes(kubectl, 'service/web', [
      /^Type: +NodePort$/m,
      /^IP: +10\.96\.\d+\.\d+$/m,
      /^IP Families: +IPv4$/m,
      /^Port: +http +80\/TCP$/m,
      /^TargetPort: +8080\/TCP$/m,
      /^NodePort: +http +3\d{4}\/TCP$/m,
    ])
  },
  'config maps and secrets, the latter without telling': async (kubectl) => {
    await kubectl.create(configMap('open', { key: 'value' }), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'closed' },
      stringData: { key: 'value' },
    })
    await describes(kubectl, 'configmap/open', [/^key:\n----\nvalue\n/m])
    const secret = await describes(kubectl, 'secret/closed', [/^Type: +Opaque$/m, /^key: +5 bytes$/m])
    assert.ok(!secret.includes('value'))
  },
  'nodes, namespaces and service accounts': async (kubectl) => {
    await kubectl.create(nodeManifest('machine'))
    await describes(kubectl, 'node/machine', [/^Unschedulable: +false$/m, /^Non-terminated Pods: +\(0 in total\)$/m])
    await describes(kubectl, 'namespace/test-6', [/^Status: +Active$/m, /^No resource quota\.$/m])
    await describes(kubectl, 'serviceaccount/default', [/^Name: +default$/m])
  },
  'quotas, limits and disruption budgets': async (kubectl) => {
    const limit = { type: 'Container', default: { cpu: '1' } }
    await kubectl.create(
      { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'limits' }, spec: { limits: [limit] } },
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'budget' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
      },
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'quota' }, spec: { hard: { pods: '3' } } },
    )
    await describes(kubectl, 'limitrange/limits', [/^Container +cpu +- +- +1 +1 +-$/m])
    await describes(kubectl, 'poddisruptionbudget/budget', [/^Min available: +1$/m, /^Selector: +app=web$/m])
    await describes(kubectl, 'resourcequota/quota', [/^Name: +quota$/m])
  },
  'roles, bindings, ingresses, policies, volumes and classes': async (kubectl) => {
    const rbac = 'rbac.authorization.k8s.io'
    const backend = { service: { name: 'web', port: { number: 80 } } }
    const http = { paths: [{ path: '/', pathType: 'Prefix', backend }] }
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    await kubectl.create(
      {
        apiVersion: `${rbac}/v1`,
        kind: 'Role',
        metadata: { name: 'reader' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
      },
      {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata: { name: 'readers' },
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'User', name: 'jane', apiGroup: rbac }],
      },
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'web' },
        spec: { rules: [{ host: 'a.example', http }] },
      },
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'closed' },
        spec: { podSelector: {} },
      },
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: claim },
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'fast' },
        provisioner: 'example.com/fast',
      },
      { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 },
    )
    await describes(kubectl, 'role/reader', [/^ +pods +\[\] +\[\] +\[get list\]$/m])
    await describes(kubectl, 'rolebinding/readers', [/^ +User +jane/m])
    await describes(kubectl, 'ingress/web', [/^ +a\.example/m, /\/ +web:80/])
    await describes(kubectl, 'networkpolicy/closed', [/Policy Types: Ingress/])
    await describes(kubectl, 'persistentvolumeclaim/data', [
      /^Status: +Pending$/m,
      /^Finalizers: +\[kubernetes.io\/pvc-protection\]$/m,
    ])
    await describes(kubectl, 'storageclass/fast', [/^Provisioner: +example.com\/fast$/m, /^ReclaimPolicy: +Delete$/m])
    await describes(kubectl, 'priorityclass/high', [/^Value: +1000$/m])
  },
})

async function describes(kubectl: Kubectl, what: string, wanted: readonly RegExp[]): Promise<string> {
  const text = await kubectl.ok('describe', what)
  for (const pattern of wanted) assert.match(text, pattern)
  return text
}

function event(name: string, { uid = '', namespace = '' }: JsonObject): JsonObject {
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.1` },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid },
    type: 'Warning',
    reason: 'FailedScheduling',
    message: 'no node is there',
    source: { component: 'proa-test' },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  }
}
