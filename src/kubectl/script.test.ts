import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pod } from '../api/core/v1/pod.js'
import { kubectlMissing } from '../testing/kubectl/kubectl.js'
import { type Cluster, startCluster } from '../testing/start-cluster.js'
import { KubectlComparison, words } from './comparison.test.kit.js'

/** Lines whose output differs from upstream's, with the reason. Lines without a difference must not be listed. */
const differences: Readonly<Record<string, string>> = {}

const manifest = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, labels: { app: shop } }
data: { color: green, size: "3" }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: store }
spec:
  serviceName: store
  selector: { matchLabels: { app: store } }
  template:
    metadata: { labels: { app: store } }
    spec:
      containers:
      - { name: main, image: nginx:1.27, resources: { requests: { cpu: 10m } } }
`

const script = (home: string) => `
  version --client=false -o name
  api-versions
  api-resources --api-group=apps
  api-resources --namespaced=false --verbs=list -o name
  cluster-info nosuch
  explain deployment.spec.strategy
  explain pods --recursive --output=nosuch
  config current-context
  config get-contexts -o name
  auth can-i create pods
  auth can-i delete nodes --as=jane
  auth whoami -o jsonpath={.status.userInfo.username}
  get all
  get namespaces nosuch
  create deployment web --image=nginx:1.26 --port=80
  create deployment web --image=nginx:1.26
  rollout status deployment/web --timeout=60s
  get deployments
  get deploy/web -o wide
  get rs -l app=web
  get pods
  get pods -o wide
  get pods --show-labels --no-headers
  get pods -o name
  get pods -o jsonpath={.items[*].spec.containers[*].image}
  get pods -o custom-columns=IMAGE:.spec.containers[0].image,PHASE:.status.phase
  get pods -o go-template='{{range .items}}{{.status.phase}}{{"\\n"}}{{end}}'
  get pods --field-selector=status.phase=Running -o name
  get pods --field-selector=status.phase=Failed
  get pod nosuch
  get nosuch
  get deploy web -o json
  get deploy web -o yaml
  get deploy web -o jsonpath='{.status.conditions[?(@.type=="Available")].status}'
  describe deployment web
  describe pods -l app=web
  describe node node-0 --show-events=false
  describe nosuch
  expose deployment web --port=80 --target-port=8080
  expose deployment web --port=80
  get service web
  get endpoints web
  describe service web
  scale deployment/web --replicas=2
  scale deployment/web --replicas=1 --current-replicas=7
  wait deployment/web --for=jsonpath={.status.readyReplicas}=2 --timeout=60s
  scale deployment web --replicas=1
  wait deployment/web --for=jsonpath={.status.replicas}=1 --timeout=60s
  set image deployment/web nginx=nginx:1.27
  rollout status deployment/web --timeout=60s
  rollout history deployment/web
  rollout history deployment/web --revision=2
  set env deployment/web COLOR=green
  set env deployment/web --list
  set resources deployment/web --requests=cpu=20m,memory=8Mi
  rollout status deployment/web --timeout=60s
  rollout undo deployment/web
  rollout restart deployment web
  rollout pause deployment/web
  rollout resume deployment/web
  rollout status deployment/web --timeout=60s
  get deployment web --show-managed-fields -o jsonpath='{.metadata.managedFields[?(@.subresource=="scale")].manager}'
  label deployment web tier=front
  label deployment web tier=back
  label deployment web tier=back --overwrite
  label deployment web tier-
  annotate deployment web note='a note'
  edit deployment nosuch
  patch deployment web -p '{"spec":{"minReadySeconds":1}}'
  patch deployment web --type=json -p '[{"op":"remove","path":"/spec/minReadySeconds"}]'
  patch deployment web --type=merge -p '{"spec":{"replicas":"x"}}'
  apply -f ${home}/all.yaml
  apply -f ${home}/all.yaml
  diff -f ${home}/all.yaml
  diff -f ${home}/changed.yaml
  apply -f ${home}/changed.yaml
  apply -f ${home}/changed.yaml --server-side
  apply -f ${home}/changed.yaml --server-side --force-conflicts
  apply view-last-applied configmap/settings
  apply set-last-applied -f ${home}/all.yaml
  apply set-last-applied -f ${home}/all.yaml
  apply edit-last-applied configmap/nosuch
  apply -f ${home}/wrong.yaml
  apply -f ${home}/nosuch.yaml
  rollout status statefulset/store --timeout=3s
  get statefulsets,configmaps
  logs store-0
  logs store-0 --tail=1
  logs nosuch
  logs store-0 -c nosuch
  exec store-0 -- true
  exec store-0
  exec nosuch -- date
  run once --image=busybox --restart=Never
  wait pod/once --for=condition=Ready --timeout=60s
  describe pod once
  get pod once -o jsonpath={.status.phase}
  events --for=pod/once
  get events --field-selector=involvedObject.name=once
  create configmap more --from-literal=a=b
  create secret generic token --from-literal=password=secret
  get secret token -o yaml
  describe secret token
  describe configmap more
  create serviceaccount robot
  create role reader --verb=get,list --resource=pods
  create rolebinding robot --role=reader --serviceaccount=@own:robot
  auth can-i list pods --as=system:serviceaccount:@own:robot
  auth can-i delete pods --as=system:serviceaccount:@own:robot
  describe role reader
  create quota small --hard=pods=20
  create cronjob nightly --image=busybox --schedule='0 3 * * *' -- date
  create job now --from=cronjob/nightly
  get cronjobs
  describe cronjob nightly
  create ingress web --rule=web.example.com/*=web:80
  describe ingress web
  autoscale deployment web --min=1 --max=3 --cpu-percent=80
  replace -f ${home}/changed.yaml
  get configmap settings -o jsonpath={.data}
  create token robot --duration=1s
  delete pod once --grace-period=0 --force
  delete -f ${home}/all.yaml
  delete deployment web nosuch
  delete configmaps --all --dry-run=client
  wait pods -l app=web --for=delete --timeout=60s
  get pods -l app=web
  nosuch
  get --nosuch
  completion nosuch
`

/** Replaces random names and assigned addresses. Columns are as wide as their content. */
function calm(text: string): string {
  return text
    .replace(/(?<=[a-z0-9]-)[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9-])/g, '?????')
    .replace(/managedFields.*(?=json: cannot unmarshal)/gs, 'WHAT THE SERVER HAS OF IT NOW ')
    .replace(/\b10\.100\.\d+\.\d+\b/g, 'ADDRESS')
    .replace(/(?<=simulated:\/\/)[0-9a-f]{64}/g, 'ID')
    .replace(/(?<=resourceVersion\W+)\d+/g, 'REVISION')
    .replace(/(?<=\/(?:LIVE|MERGED)-)\w+/g, 'FOLDER')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000/g, 'TIME')
    .replace(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, 'TIME')
    .replace(/(?<=[ (])\d[\d.]*m?s(?= \(| {1,2}including)/g, 'AGE')
    .replace(/(?<=^|[\s(])(?:<?(?:\d+m)?\d+s|<invalid>)(?=[\s)]|$)/gm, 'AGE')
    .replace(/(?<=\S) {2,}/g, '  ')
}

async function play(both: KubectlComparison): Promise<void> {
  both.file('all.yaml', manifest)
  both.file('changed.yaml', manifest.replace('color: green', 'color: blue').replace('cpu: 10m', 'cpu: 20m'))
  both.file('wrong.yaml', manifest.replace('serviceName: store', 'servicName: store'))
  const lines = script(both.home)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  assert.ok(lines.length >= 60)
  const complaints: string[] = []
  for (const line of lines) {
    const shown = line.replaceAll(both.home, 'HOME')
    const complaint = await both.same(words(line), { calm }).then(
      () => '',
      (error: Error) => error.message,
    )
    if (complaint !== '' && !differences[shown]) complaints.push(complaint)
    if (complaint === '' && differences[shown]) complaints.push(`$ kubectl ${shown}: it differs no more`)
  }
  if (complaints.length > 0) assert.fail(complaints.join('\n'))
}

/** Pulls the images in advance, so that the first of the two commands does not wait for them. */
async function fetchImages(cluster: Cluster): Promise<void> {
  const containers = ['nginx:1.26', 'nginx:1.27'].map((image, index) => ({ name: `c${index}`, image }))
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'first' }, spec: { containers } })
  await cluster.waitFor(Pod, 'first', ({ status }) => status?.phase === 'Running')
}

test('a script of many lines prints the same and ends the same, typed to the original and to ours on one cluster', {
  skip: kubectlMissing(),
  timeout: 300_000,
}, async () => {
  await using cluster = await startCluster()
  await fetchImages(cluster)
  const both = new KubectlComparison(cluster, 'script')
  try {
    await both.open()
    await play(both)
  } finally {
    both.close()
  }
})
