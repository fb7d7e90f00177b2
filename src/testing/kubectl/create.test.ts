import assert from 'node:assert/strict'
import { stringify } from 'yaml'
import type { Kubectl } from './kubectl.js'
import { configMap, deploymentWithImage, kubectlSuite, podManifest } from './suite.js'

kubectlSuite('kubectl create, run, expose, replace and edit', {
  'create takes JSON and YAML, refuses what is there, and gives names': async (kubectl) => {
    const yaml = kubectl.file('one.yaml', stringify(configMap('one')))
    const json = kubectl.file('two.json', JSON.stringify(configMap('two')))
    assert.equal(await kubectl.ok('create', '-f', yaml, '-f', json), 'configmap/one created\nconfigmap/two created\n')
    assert.match(await kubectl.fails('create', '-f', yaml), /\(AlreadyExists\): .*configmaps "one" already exists/)
    const generated = { ...configMap(''), metadata: { generateName: 'gen-' } }
    assert.match(await kubectl.create(generated), /^configmap\/gen-[a-z0-9]{5} created\n$/)
  },
  'generators of config maps, secrets and quotas': async (kubectl) => {
    await creates(kubectl, 'configmap/conf', [
      'configmap',
      'conf',
      '--from-literal=a=1',
      `--from-file=f=${kubectl.file('f', 'text')}`,
    ])
    const { data } = await kubectl.json('get', 'cm', 'conf')
    assert.deepEqual(data, { a: '1', f: 'text' })
    await creates(kubectl, 'secret/pass', ['secret', 'generic', 'pass', '--from-literal=word=open'])
    assert.equal(await kubectl.ok('get', 'secret', 'pass', '--output=jsonpath={.data.word}'), btoa('open'))
    await creates(kubectl, 'secret/reg', [
      'secret',
      'docker-registry',
      'reg',
      '--docker-username=u',
      '--docker-password=p',
    ])
    assert.equal(
      await kubectl.ok('get', 'secret', 'reg', '--output=jsonpath={.type}'),
      'kubernetes.io/dockerconfigjson',
    )
    await creates(kubectl, 'resourcequota/few', ['quota', 'few', '--hard=pods=3,requests.cpu=2'])
    const { spec } = await kubectl.json('get', 'quota', 'few')
    assert.deepEqual(spec, { hard: { pods: '3', 'requests.cpu': '2' } })
  },
  'generators of workloads': async (kubectl) => {
    await creates(kubectl, 'deployment.apps/web', ['deployment', 'web', '--image=nginx', '--replicas=3', '--port=80'])
    const fields = '--output=jsonpath={.spec.replicas} {.spec.template.spec.containers[0].ports[0].containerPort}'
    assert.equal(await kubectl.ok('get', 'deploy', 'web', fields), '3 80')
    await creates(kubectl, 'job.batch/once', ['job', 'once', '--image=busybox', '--', 'echo', 'hi'])
    assert.equal(
      await kubectl.ok('get', 'job', 'once', '--output=jsonpath={.spec.template.spec.containers[0].command}'),
      '["echo","hi"]',
    )
    await creates(kubectl, 'cronjob.batch/often', ['cronjob', 'often', '--image=busybox', '--schedule=*/5 * * * *'])
    await creates(kubectl, 'job.batch/now', ['job', 'now', '--from=cronjob/often'])
    const owner = '--output=jsonpath={.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}'
    assert.equal(await kubectl.ok('get', 'job', 'now', owner), 'CronJob/often')
    await creates(kubectl, 'poddisruptionbudget.policy/some', [
      'pdb',
      'some',
      '--selector=app=web',
      '--min-available=50%',
    ])
  },
  'generators of services and ingresses': async (kubectl) => {
    await creates(kubectl, 'service/inside', ['service', 'clusterip', 'inside', '--tcp=80:8080'])
    await creates(kubectl, 'service/outside', ['service', 'nodeport', 'outside', '--tcp=80'])
    await creates(kubectl, 'service/elsewhere', ['service', 'externalname', 'elsewhere', '--external-name=a.example'])
    const [, ...rows] = await kubectl.table('get', 'services')
    const shown = rows.map(([name, type, address]) => [name, type, address?.replace(/^10\.96\..*/, 'an address')])
    assert.deepEqual(shown, [
      ['elsewhere', 'ExternalName', '<none>'],
      ['inside', 'ClusterIP', 'an address'],
      ['outside', 'NodePort', 'an address'],
    ])
    await creates(kubectl, 'ingress.networking.k8s.io/web', ['ingress', 'web', '--rule=a.example/x*=inside:80'])
    assert.equal(
      await kubectl.ok('get', 'ingress', 'web', '--output=jsonpath={.spec.rules[0].http.paths[0].pathType}'),
      'Prefix',
    )
  },
  'generators of namespaces, accounts and rights': async (kubectl) => {
    await creates(kubectl, 'namespace/made-4', ['namespace', 'made-4'])
    await creates(kubectl, 'serviceaccount/bot', ['serviceaccount', 'bot'])
    const rbac = 'rbac.authorization.k8s.io'
    await creates(kubectl, `role.${rbac}/reader`, [
      'role',
      'reader',
      '--verb=get,list',
      '--resource=pods,deployments.apps',
    ])
    const { rules } = await kubectl.json('get', 'role', 'reader')
    assert.deepEqual(rules, [
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] },
    ])
    await creates(kubectl, `rolebinding.${rbac}/readers`, ['rolebinding', 'readers', '--role=reader', '--user=jane'])
    await creates(kubectl, `clusterrole.${rbac}/looker-4`, [
      'clusterrole',
      'looker-4',
      '--verb=get',
      '--resource=nodes',
    ])
    await creates(kubectl, `clusterrolebinding.${rbac}/lookers-4`, [
      'clusterrolebinding',
      'lookers-4',
      '--clusterrole=looker-4',
      '--group=devs',
    ])
    await creates(kubectl, 'priorityclass.scheduling.k8s.io/high-4', ['priorityclass', 'high-4', '--value=10'])
  },
  'a dry run prints what would be made': async (kubectl) => {
    const text = await kubectl.ok('create', 'deployment', 'web', '--image=nginx', '--dry-run=server', '--output=yaml')
    assert.match(text, /schedulerName: default-scheduler/)
    assert.match(await kubectl.fails('get', 'deploy', 'web'), /NotFound/)
  },
  'run makes a pod, and can expose it': async (kubectl) => {
    const made = await kubectl.ok(
      'run',
      'web',
      '--image=nginx',
      '--port=80',
      '--expose',
      '--labels=tier=front',
      '--env=A=B',
    )
    assert.equal(made, 'service/web created\npod/web created\n')
    const { spec } = (await kubectl.json('get', 'pod', 'web')) as unknown as {
      spec: { containers: { env: unknown }[] }
    }
    assert.deepEqual(spec.containers[0]?.env, [{ name: 'A', value: 'B' }])
    assert.equal(await kubectl.ok('get', 'service', 'web', '--output=jsonpath={.spec.selector.tier}'), 'front')
    const command = ['run', 'once', '--image=busybox', '--restart=Never', '--command', '--', 'sleep', '1']
    assert.equal(await kubectl.ok(...command), 'pod/once created\n')
    assert.equal(await kubectl.ok('get', 'pod', 'once', '--output=jsonpath={.spec.restartPolicy}'), 'Never')
  },
  'expose makes a service of what selects pods': async (kubectl) => {
    await kubectl.create(deploymentWithImage('web'))
    assert.equal(
      await kubectl.ok('expose', 'deployment', 'web', '--port=80', '--target-port=8080', '--name=front'),
      'service/front exposed\n',
    )
    const { spec } = (await kubectl.json('get', 'service', 'front')) as unknown as { spec: Record<string, unknown> }
    assert.deepEqual(spec.selector, { app: 'web' })
    assert.deepEqual(spec.ports, [{ port: 80, protocol: 'TCP', targetPort: 8080 }])
    assert.match(String(spec.clusterIP), /^10\.96\./)
  },
  'replace puts another object in its place, by force if need be': async (kubectl) => {
    await kubectl.create(configMap('conf', { a: '1' }), podManifest('fixed'))
    const uid = '--output=jsonpath={.metadata.uid}'
    const before = await kubectl.ok('get', 'cm', 'conf', uid)
    const replace = (object: object, ...flags: string[]) =>
      kubectl.run(['replace', '-f', '-', ...flags], { input: JSON.stringify(object) })
    assert.equal((await replace(configMap('conf', { b: '2' }))).stdout, 'configmap/conf replaced\n')
    assert.equal(await kubectl.ok('get', 'cm', 'conf', uid), before)
    const { data } = await kubectl.json('get', 'cm', 'conf')
    assert.deepEqual(data, { b: '2' })
    assert.match((await replace(configMap('none'))).stderr, /configmaps "none" not found/)
    const stale = { ...configMap('conf'), metadata: { name: 'conf', resourceVersion: '1' } }
    assert.match((await replace(stale)).stderr, /\(Conflict\): .*the object has been modified/)
    const forced = await replace(configMap('conf', { c: '3' }), '--force')
    assert.equal(forced.stdout, 'configmap "conf" deleted\nconfigmap/conf replaced\n')
    assert.notEqual(await kubectl.ok('get', 'cm', 'conf', uid), before)
  },
  'edit takes what an editor leaves, and tells what is wrong with it': async (kubectl) => {
    await kubectl.create(deploymentWithImage('web'))
    const edit = (script: string) => kubectl.run(['edit', 'deploy', 'web'], { environment: { EDITOR: script } })
    assert.equal((await edit('sed -i s/nginx:1/nginx:7/')).stdout, 'deployment.apps/web edited\n')
    assert.equal(
      await kubectl.ok('get', 'deploy', 'web', '--output=jsonpath={.spec.template.spec.containers[0].image}'),
      'nginx:7',
    )
    assert.equal((await edit('true')).stderr, 'Edit cancelled, no changes made.\n')
    const invalid = await edit('sed -i s/replicas:.2/replicas:.-2/')
    assert.equal(invalid.code, 1)
    assert.match(invalid.stderr, /deployments\.apps "web" is invalid/)
    assert.equal(await kubectl.ok('get', 'deploy', 'web', '--output=jsonpath={.spec.replicas}'), '2')
  },
})

async function creates(kubectl: Kubectl, what: string, args: readonly string[]): Promise<void> {
  assert.equal(await kubectl.ok('create', ...args), `${what} created\n`)
}
