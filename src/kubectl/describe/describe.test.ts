import assert from 'node:assert/strict'
import { Kubectl } from '../../testing/kubectl/kubectl.js'
import type { TestApiServer } from '../../testing/servers/api-server.js'
import { comparisonSuite, type KubectlComparison } from '../comparison.test.kit.js'
import { networkManifests, otherManifests, workloadManifests } from './described-objects.test.kit.js'
import { leaseManifest, podManifests } from './described-pods.test.kit.js'
import {
  eventsAbout,
  replicaSetsOf,
  runningPod,
  setStatus,
  setWorkloadStatus,
  signingRequest,
  time,
} from './described-states.test.kit.js'

/** Creates objects in a new namespace. Both commands describe the same objects, because describing changes nothing. */
async function inNamespace(server: TestApiServer, name: string, ...manifests: readonly string[]): Promise<Kubectl> {
  const kubectl = await new Kubectl(server).inNewNamespace(name)
  for (const manifest of manifests) await create(kubectl, manifest)
  return kubectl
}

async function create(kubectl: Kubectl, input: string): Promise<void> {
  const { code, stderr } = await kubectl.run(['create', '--filename=-'], { input })
  assert.equal(code, 0, stderr)
}

function sameIn(both: KubectlComparison, namespace: string, lines: string): Promise<void> {
  return both.sameLines(lines.replace(/^ *(?=\S)/gm, `--namespace=${namespace} `))
}

comparisonSuite('our kubectl describe', {
  'shows pods and nodes as the original does': async (both, server) => {
    const kubectl = await inNamespace(server, 'described-pods', podManifests)
    await setStatus(kubectl, 'pod/full', runningPod)
    await create(new Kubectl(server, 'kube-node-lease'), leaseManifest)
    await kubectl.create(...(await eventsAbout(kubectl, 'Pod', 'full')))
    await new Kubectl(server).create(...(await eventsAbout(kubectl, 'Node', 'n1')))
    await sameIn(
      both,
      'described-pods',
      `describe pod full
       describe pod plain
       describe pods
       describe pods --show-events=false
       describe pods -A
       describe pod -l app=web
       describe node n1
       describe nodes
       describe priorityclass high
       describe events pod-full-1
       describe lease -n kube-node-lease`,
    )
  },
  'shows workloads as the original does': async (both, server) => {
    const kubectl = await inNamespace(server, 'described-work', workloadManifests)
    await setWorkloadStatus(kubectl)
    await kubectl.create(...(await replicaSetsOf(kubectl, 'web')), ...(await eventsAbout(kubectl, 'Deployment', 'web')))
    await sameIn(
      both,
      'described-work',
      `describe deploy web
       describe deploy
       describe deploy rec
       describe rs
       describe rc
       describe ds
       describe sts
       describe job
       describe cj
       describe hpa hpa
       describe hpa.v1.autoscaling hpa
       describe pdb
       describe deploy/web rs/rs`,
    )
  },
  'shows services and what leads to them as the original does': async (both, server) => {
    const kubectl = await inNamespace(server, 'described-net', networkManifests)
    await setStatus(kubectl, 'svc/lb', {
      loadBalancer: { ingress: [{ ip: '5.6.7.8', ipMode: 'VIP' }, { hostname: 'h.example.com' }] },
    })
    await setStatus(kubectl, 'ing/ing', {
      loadBalancer: { ingress: [{ hostname: 'h.example.com' }, { ip: '5.6.7.8' }] },
    })
    await sameIn(
      both,
      'described-net',
      `describe svc svc
       describe svc
       describe ep svc
       describe endpointslices
       describe ing
       describe ingressclass nginx
       describe netpol`,
    )
  },
  'shows configuration, storage, quotas and roles as the original does': async (both, server) => {
    const kubectl = await inNamespace(server, 'described-rest', otherManifests)
    await setStatus(kubectl, 'quota/q', {
      hard: { cpu: '4', memory: '10Gi', pods: '10' },
      used: { cpu: '1500m', memory: '1024', pods: '3' },
    })
    await setStatus(kubectl, 'pvc/bound', {
      phase: 'Bound',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '5Gi' },
      conditions: [{ type: 'Resizing', status: 'True', lastTransitionTime: time, reason: 'r', message: 'm' }],
    })
    await kubectl.create(signingRequest())
    await sameIn(
      both,
      'described-rest',
      `describe cm emptycm
       describe secret s
       describe sa sa
       describe quota q
       describe quota
       describe limits
       describe ns described-rest
       describe ns default
       describe pv
       describe pvc
       describe sc
       describe csinode n1
       describe role role
       describe rolebinding rb
       describe clusterrole view
       describe clusterrole cluster-admin
       describe clusterrole system:discovery
       describe clusterrolebinding cluster-admin
       describe csr csr1
       describe lease lease
       describe flowschema exempt
       describe apiservice v1.apps`,
    )
  },
  'refuses what the original refuses, in the same words': async (both) => {
    await both.sameLines(`
      describe
      describe nosuch
      describe pod nosuch
      describe pod a b
      describe pods
      describe pods -A -l a=nosuch
      describe -f nosuch.yaml
      describe pods --chunk-size=x
    `)
  },
  'shows objects of files, and how much there is in config maps': async (both, server) => {
    const kubectl = await inNamespace(server, 'described-files')
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { a: 'b\nc\td\n' } }
    await kubectl.create(manifest, { ...manifest, metadata: { name: 'two' }, data: {}, binaryData: { x: 'AAEC' } })
    const file = both.file('one.json', manifest)
    await sameIn(both, 'described-files', `describe -f ${file}\ndescribe cm\ndescribe cm two nosuch`)
  },
})
