/** A Pod of about 1.5 KB, as a Deployment of a small web application creates it. */
export const typicalPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-6d4cf56db6-abcde',
    namespace: 'default',
    labels: { app: 'web', 'pod-template-hash': '6d4cf56db6' },
    annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9102' },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: 'web-6d4cf56db6',
        uid: '7f1f4a6e-1111-4c1c-9f1c-3c2f8a6e0b11',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'nginx:1.27',
        ports: [{ name: 'http', containerPort: 80 }],
        env: [
          { name: 'MODE', value: 'production' },
          { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
        ],
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
        livenessProbe: { httpGet: { path: '/healthz', port: 80 }, initialDelaySeconds: 3, periodSeconds: 10 },
        volumeMounts: [{ name: 'config', mountPath: '/etc/app', readOnly: true }],
        securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
      { name: 'proxy', image: 'envoy:1.30', args: ['--config', '/etc/envoy.yaml'], resources: {} },
    ],
    volumes: [
      { name: 'config', configMap: { name: 'app-config' } },
      { name: 'tmp', emptyDir: {} },
    ],
    restartPolicy: 'Always',
    nodeSelector: { disk: 'ssd' },
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    serviceAccountName: 'web',
    terminationGracePeriodSeconds: 30,
  },
}
