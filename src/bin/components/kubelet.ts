import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitVersion } from '../../apiserver/extensions/version.js'
import { readBuild } from '../../apiserver/server.js'
import type { Environment } from '../../base/environment.js'
import { boolean, integer, optionalText, text } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'
import { connect } from '../../client/connect.js'
import { thisHost } from '../../client/host-access.js'
import { authorityOf } from '../../client/https/server-trust.js'
import { resolveConnection } from '../../client/kubeconfig/resolve.js'
import { PodNetwork } from '../../cni/pod-network.js'
import { connectCri } from '../../cri/client.js'
import { findPrograms } from '../../cri/containerd/programs.js'
import { hostAddressBook, hostName, nodeAddresses } from '../../kubelet/node/node-addresses.js'
import type { NodeIdentity } from '../../kubelet/node/node-identity.js'
import { linuxPlatform } from '../../kubelet/platform.js'
import { runNode } from '../../kubelet/run-node.js'
import type { ServingTls } from '../../kubelet/server/kubelet-server.js'
import { servingCertificate } from '../../kubelet/server/serving-certificate.js'
import { defineCommand } from '../command.js'
import { commandEnvironment } from '../process/command-environment.js'
import { untilStopped } from '../process/signals.js'
import { kubeletFlags, nodeSettings } from './kubelet-flags.js'

const flags = {
  kubeconfig: optionalText('The kubeconfig with the address of the API server and the credentials for it.', {
    placeholder: 'FILE',
  }),
  'container-runtime-endpoint': text('The socket of the container runtime.', {
    placeholder: 'URL',
    initial: 'unix:///run/containerd/containerd.sock',
  }),
  'root-dir': text('The directory for the files of the kubelet.', {
    placeholder: 'DIRECTORY',
    initial: '/var/lib/kubelet',
  }),
  'pod-logs-dir': text('The directory for the logs of containers.', {
    placeholder: 'DIRECTORY',
    initial: '/var/log/pods',
  }),
  'cert-dir': optionalText('The directory for the certificate of the kubelet. By default pki in --root-dir.', {
    placeholder: 'DIRECTORY',
  }),
  'tls-cert-file': optionalText('The TLS certificate of the kubelet. By default one is created.', {
    placeholder: 'FILE',
  }),
  'tls-private-key-file': optionalText('The private key of that certificate.', { placeholder: 'FILE' }),
  'client-ca-file': optionalText('The CA certificates that sign client certificates.', { placeholder: 'FILE' }),
  'anonymous-auth': boolean('Accept requests without credentials.'),
  'authorization-mode': text('How requests are authorized. Webhook sends a SubjectAccessReview to the API server.', {
    placeholder: 'Webhook|AlwaysAllow',
    initial: 'Webhook',
  }),
  address: text('The address to listen on.', { placeholder: 'ADDRESS', initial: '0.0.0.0' }),
  port: integer('The port of the kubelet API. 0 takes any free port.', {
    placeholder: 'PORT',
    initial: 10_250,
    most: 65_535,
  }),
  'cni-conf-dir': optionalText(
    'The directory to write the CNI configuration of the pod network to. By default another program configures the network.',
    { placeholder: 'DIRECTORY' },
  ),
  'cni-bridge-name': text('The name of the network bridge of pods.', { placeholder: 'NAME', initial: 'proa0' }),
  ...kubeletFlags,
  v: integer('The log level. 4 and more log every detail.', { placeholder: 'LEVEL' }),
  help: { ...boolean('Show this help.'), short: 'h' },
}

type Flags = FlagValues<typeof flags>

export const kubeletCommand = defineCommand({
  name: 'kubelet',
  about: `Run the kubelet alone: this machine becomes a node of a cluster, and runs the pods that are assigned to it.

Usage:
  proa kubelet --kubeconfig FILE [flags]
`,
  flags,
  run,
})

async function run(given: Flags): Promise<void> {
  const environment = commandEnvironment(given.v)
  const kubeconfig = given.kubeconfig
  const connection = await resolveConnection(thisHost(), kubeconfig === undefined ? {} : { kubeconfig })
  const authority = await authorityOf(connection, thisHost())
  const identity = await identityOf(given)
  const runtime = connectCri({ endpoint: given['container-runtime-endpoint'], environment })
  const cgroupRoot = given['cgroup-root']
  const node = await runNode({
    environment,
    transport: await connect(connection, { environment, userAgent: 'kubelet' }),
    runtime,
    identity,
    version: gitVersion(readBuild()),
    platform: linuxPlatform({
      network: networkOf(given, environment),
      cgroups: { perQos: given['cgroups-per-qos'], ...(cgroupRoot !== undefined && { root: cgroupRoot }) },
    }),
    options: {
      ...nodeSettings(given),
      server: {
        address: given.address,
        port: given.port,
        tls: tlsOf(given, identity, environment, authority),
        anonymous: given['anonymous-auth'],
        authorization: given['authorization-mode'] === 'AlwaysAllow' ? 'AlwaysAllow' : 'Webhook',
      },
    },
  })
  await node.agent.registered
  process.stdout.write(`The kubelet of ${identity.nodeName} is running. Its API is on port ${node.port}.\n`)
  await untilStopped()
  await node.close()
  runtime.close()
}

async function identityOf(given: Flags): Promise<NodeIdentity> {
  const nodeName = given['hostname-override'] ?? hostName()
  return {
    nodeName,
    rootFolder: given['root-dir'],
    podLogsFolder: given['pod-logs-dir'],
    hostAddresses: await nodeAddresses({ hostname: nodeName, nodeAddresses: given['node-ip'] }, hostAddressBook()),
    clusterDomain: given['cluster-domain'],
    clusterDns: given['cluster-dns'],
  }
}

/** By default the CA of the API server also signs the client certificates that the kubelet accepts. */
function tlsOf(
  given: Flags,
  identity: NodeIdentity,
  environment: Environment,
  authority: string | undefined,
): ServingTls {
  const { 'tls-cert-file': certFile, 'tls-private-key-file': keyFile, 'client-ca-file': clientCaFile } = given
  const clientCa = clientCaFile === undefined ? authority : readFileSync(clientCaFile, 'utf8')
  const pair =
    certFile !== undefined && keyFile !== undefined
      ? { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
      : servingCertificate(
          {
            folder: given['cert-dir'] ?? join(identity.rootFolder, 'pki'),
            nodeName: identity.nodeName,
            hosts: identity.hostAddresses,
          },
          environment,
        )
  return { ...pair, ...(clientCa !== undefined && { clientCa }) }
}

function networkOf(given: Flags, { log }: Environment): PodNetwork | undefined {
  const configurationFolder = given['cni-conf-dir']
  const programs = findPrograms()
  if (configurationFolder === undefined || 'missing' in programs) return undefined
  const bridge = given['cni-bridge-name']
  return new PodNetwork({ configurationFolder, pluginFolder: programs.found.networkPlugins, log, bridge, name: bridge })
}
