import type { JsonObject } from '../../../schema/declaration.js'
import type { ClusterScenario } from '../scenario.js'
import {
  busybox,
  forever,
  podOnNode,
  podThatEnds,
  recordPodEvents,
  recordStatuses,
  shellContainer,
  untilEnded,
  untilWaiting,
} from './node-manifests.js'

/** What a container sees. */
export const containerContents: readonly ClusterScenario[] = [
  {
    name: 'environment, command and args',
    needs: 'kubelet',
    steps: [
      { apply: { kind: 'ConfigMap', metadata: { name: 'm' }, data: { k: 'v', 'bad-name': 'x', A: 'from map' } } },
      {
        apply: [
          podThatEnds(
            'expand',
            shellContainer('echo "$B|$C|$D|$E|$A"', {
              envFrom: [{ prefix: 'P_', configMapRef: { name: 'm' } }, { configMapRef: { name: 'm' } }],
              env: [
                { name: 'A', value: 'a' },
                { name: 'B', value: '$(A)-b' },
                { name: 'C', value: '$$(A)' },
                { name: 'D', value: '$(LATER)' },
                { name: 'E', value: '$(P_k)' },
                { name: 'LATER', value: 'x' },
              ],
            }),
          ),
          podThatEnds('args', {
            name: 'c',
            image: busybox,
            command: ['echo', '$(X)'],
            args: ['and', '$(Y)', '$$(X)'],
            env: [{ name: 'X', value: 'ex' }],
          }),
          podThatEnds(
            'field',
            shellContainer('env | grep ^F_ | sort', {
              resources: { requests: { cpu: '50m', memory: '16Mi' }, limits: { cpu: '100m', memory: '32Mi' } },
              env: [
                fromField('F_NAME', 'metadata.name'),
                fromField('F_NS', 'metadata.namespace'),
                fromField('F_NODE', 'spec.nodeName'),
                fromField('F_SA', 'spec.serviceAccountName'),
                fromField('F_IP', 'status.podIP'),
                fromField('F_HOST', 'status.hostIP'),
                fromField('F_L', "metadata.labels['a']"),
                fromField('F_UID', 'metadata.uid'),
                fromResource('F_CPU', 'limits.cpu', '1m'),
                fromResource('F_CPUS', 'limits.cpu', '1'),
                fromResource('F_MEM', 'requests.memory', '1Mi'),
              ],
            }),
            {},
            { labels: { a: 'label' } },
          ),
        ],
      },
      ...untilEnded('expand', 'args', 'field'),
      { record: 'expand', logs: 'expand' },
      { record: 'args', logs: 'args' },
      { record: 'field', logs: 'field' },
      recordPodEvents(({ involvedObject, type }) => involvedObject.name === 'expand' && type === 'Warning'),
    ],
  },
  {
    name: 'volumes: contents',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          { kind: 'ConfigMap', metadata: { name: 'm' }, data: { k: 'v', other: 'o' } },
          { kind: 'Secret', metadata: { name: 's' }, stringData: { user: 'u' } },
        ],
      },
      {
        apply: podThatEnds(
          'p',
          shellContainer(
            'cd /all; ls -1 -A; find . -type l | sort; cat m/k; cat labels; echo; cat cpu; echo; stat -Lc %a m/k user; cat /one/file; mount | grep " /mem " | cut -d" " -f1,5; ls /items; ls -A /sub',
            {
              resources: { limits: { cpu: '100m', memory: '32Mi' } },
              volumeMounts: [
                { name: 'all', mountPath: '/all' },
                { name: 'map', mountPath: '/one/file', subPath: 'k' },
                { name: 'mem', mountPath: '/mem' },
                { name: 'items', mountPath: '/items' },
                { name: 'mem', mountPath: '/sub', subPath: 'deep/er' },
              ],
            },
          ),
          {
            volumes: [
              {
                name: 'all',
                projected: {
                  sources: [
                    { configMap: { name: 'm', items: [{ key: 'k', path: 'm/k', mode: 256 }] } },
                    { secret: { name: 's' } },
                    {
                      downwardAPI: {
                        items: [
                          { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
                          {
                            path: 'cpu',
                            resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '1m' },
                          },
                        ],
                      },
                    },
                  ],
                },
              },
              { name: 'map', configMap: { name: 'm' } },
              { name: 'mem', emptyDir: { medium: 'Memory' } },
              { name: 'items', configMap: { name: 'm', items: [{ key: 'other', path: 'renamed' }] } },
            ],
          },
          { labels: { b: '2', a: '1' } },
        ),
      },
      ...untilEnded('p'),
      { record: 'log', logs: 'p' },
      { record: 'status', get: 'pods/p', pick: ['status.phase', 'status.qosClass', 'status.containerStatuses'] },
    ],
  },
  {
    name: 'security contexts',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          podOnNode('root', shellContainer(forever), { securityContext: { runAsNonRoot: true } }),
          podThatEnds(
            'user',
            shellContainer(
              'exec 2>&1; id -u; id -g; id -G; touch /x; stat -c %g /v; grep -E "^(CapEff|NoNewPrivs|Seccomp):" /proc/self/status',
              {
                securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
                volumeMounts: [{ name: 'v', mountPath: '/v' }],
              },
            ),
            {
              securityContext: {
                runAsUser: 1000,
                runAsGroup: 3000,
                fsGroup: 2000,
                supplementalGroups: [4000],
                seccompProfile: { type: 'Unconfined' },
              },
              volumes: [{ name: 'v', emptyDir: {} }],
            },
          ),
          podThatEnds(
            'readonly',
            shellContainer('exec 2>&1; touch /x || echo refused; touch /tmp/x && echo fine', {
              securityContext: { readOnlyRootFilesystem: true },
              volumeMounts: [{ name: 'v', mountPath: '/tmp' }],
            }),
            { volumes: [{ name: 'v', emptyDir: {} }] },
          ),
        ],
      },
      untilWaiting('root', 'CreateContainerConfigError'),
      ...untilEnded('user', 'readonly'),
      { record: 'user', logs: 'user' },
      { record: 'readonly', logs: 'readonly' },
      recordStatuses('refused', 'pods/root'),
      recordPodEvents(({ involvedObject }) => involvedObject.name === 'root'),
    ],
  },
  {
    name: 'names, hosts and resolver',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          podThatEnds('dns', shellContainer('cat /etc/resolv.conf; hostname; hostname -f; cat /etc/hosts'), {
            hostname: 'me',
            subdomain: 'sub',
            hostAliases: [
              { ip: '1.2.3.4', hostnames: ['a.example', 'b.example'] },
              { ip: '1.2.3.5', hostnames: ['c.example'] },
            ],
          }),
          podThatEnds('none', shellContainer('cat /etc/resolv.conf; hostname; cat /etc/hosts'), {
            dnsPolicy: 'None',
            dnsConfig: { nameservers: ['9.9.9.9'], searches: ['x.example'], options: [{ name: 'ndots', value: '2' }] },
          }),
          podThatEnds('fqdn', shellContainer('hostname'), { setHostnameAsFQDN: true, hostname: 'h', subdomain: 's' }),
          podThatEnds('merge', shellContainer('cat /etc/resolv.conf'), {
            dnsConfig: { searches: ['extra.example'], options: [{ name: 'ndots', value: '3' }] },
          }),
        ],
      },
      ...untilEnded('dns', 'none', 'fqdn', 'merge'),
      { record: 'dns', logs: 'dns' },
      { record: 'none', logs: 'none' },
      { record: 'fqdn', logs: 'fqdn' },
      { record: 'merge', logs: 'merge' },
    ],
  },
  {
    name: 'host network, shared processes',
    needs: 'kubelet',
    steps: [
      {
        apply: [
          podThatEnds(
            'hostnet',
            shellContainer('echo "$POD $HOST" | sed "s/^\\(.*\\) \\1$/same/"', {
              env: [fromField('POD', 'status.podIP'), fromField('HOST', 'status.hostIP')],
            }),
            { hostNetwork: true },
          ),
          podThatEnds('shared', shellContainer('test $$$$ -eq 1 && echo first || echo not the first'), {
            shareProcessNamespace: true,
          }),
          podThatEnds('own', shellContainer('echo $$$$; echo $$')),
        ],
      },
      ...untilEnded('hostnet', 'shared', 'own'),
      { record: 'hostnet', logs: 'hostnet' },
      { record: 'shared', logs: 'shared' },
      { record: 'own', logs: 'own' },
      {
        record: 'addresses',
        get: 'pods/hostnet',
        pick: ({ status }) => ({ same: status.podIP === status.hostIP, list: status.podIPs?.length }),
      },
    ],
  },
]

function fromField(name: string, fieldPath: string): JsonObject {
  return { name, valueFrom: { fieldRef: { fieldPath } } }
}

function fromResource(name: string, resource: string, divisor: string): JsonObject {
  return { name, valueFrom: { resourceFieldRef: { resource, divisor } } }
}
