/** The objects that the API server is measured with: the same ones on the wire and inside of the process. */
export const namespace = 'bench'

export function configMap(name: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } }
}

/** About 0.4 KB as it is sent, 2.3 KB as it is kept. Nobody schedules it. `shard` is what lists select by. */
export function pod(name: string, shard = 0): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app: 'bench', shard: String(shard) } },
    spec: {
      schedulerName: 'nobody',
      containers: [
        {
          name: 'c',
          image: 'nginx:1.27',
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: '10m', memory: '16Mi' } },
          env: [{ name: 'A', value: 'b' }],
        },
      ],
    },
  }
}

export function namespaceObject(): object {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
}

/** Pods are refused where their service account is missing. */
export function serviceAccount(): object {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }
}
