/** Pods that use many fields, and their nodes. */
export const podManifests = `
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
description: "important"
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {node-role.kubernetes.io/control-plane: "", node-role.kubernetes.io/worker: ""}}
spec: {podCIDR: 10.1.0.0/24, podCIDRs: [10.1.0.0/24], providerID: "x://y", unschedulable: true, taints: [{key: b, effect: NoSchedule, value: c}, {key: a, effect: NoExecute}]}
status:
  capacity: {cpu: "4", memory: 8Gi, pods: "110", ephemeral-storage: 100Gi, hugepages-2Mi: "0", example.com/gpu: "2"}
  allocatable: {cpu: 3900m, memory: 7Gi, pods: "110", ephemeral-storage: 90Gi, hugepages-2Mi: "0", example.com/gpu: "2"}
  addresses: [{type: InternalIP, address: 1.2.3.4}, {type: Hostname, address: n1}]
  conditions: [{type: Ready, status: "True", lastHeartbeatTime: "2026-01-02T03:04:05Z", lastTransitionTime: "2026-01-02T03:04:05Z", reason: KubeletReady, message: all is well}]
  nodeInfo: {machineID: m, systemUUID: s, bootID: b, kernelVersion: k, osImage: o, containerRuntimeVersion: c, kubeletVersion: kl, kubeProxyVersion: kp, operatingSystem: linux, architecture: amd64}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
---
apiVersion: v1
kind: Pod
metadata:
  name: full
  labels: {app: web, tier: front}
  annotations:
    short: value
    multi: "line one\\nline two\\n"
    long: "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
spec:
  nodeName: n1
  serviceAccountName: default
  priorityClassName: high
  nodeSelector: {disk: ssd, zone: a}
  securityContext: {seccompProfile: {type: Localhost, localhostProfile: x.json}}
  readinessGates: [{conditionType: example.com/ok}, {conditionType: Ready}]
  tolerations:
  - {key: a, operator: Exists, effect: NoSchedule}
  - {key: b, value: c, effect: NoExecute, tolerationSeconds: 30}
  - {operator: Exists}
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
  - {maxSkew: 2, topologyKey: host, whenUnsatisfiable: ScheduleAnyway}
  initContainers:
  - {name: init, image: busybox, command: [sh, -c, "echo a\\necho b"], args: [x, z]}
  - {name: side, image: busybox, restartPolicy: Always, resources: {requests: {cpu: 50m, memory: 10Mi}}}
  containers:
  - name: main
    image: nginx:1
    ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP, hostPort: 5353}]
    env:
    - {name: A, value: b}
    - {name: M, value: "x\\ny"}
    - {name: NN, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
    - {name: L, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}
    - {name: U, valueFrom: {fieldRef: {fieldPath: metadata.uid}}}
    - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
    - {name: C, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
    - {name: Q, valueFrom: {resourceFieldRef: {resource: requests.memory, divisor: 1Mi}}}
    - {name: E, valueFrom: {resourceFieldRef: {resource: limits.memory}}}
    - {name: S, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}
    - {name: CM, valueFrom: {configMapKeyRef: {name: cm, key: k}}}
    envFrom:
    - {configMapRef: {name: cm}}
    - {prefix: P_, secretRef: {name: s, optional: true}}
    resources: {limits: {cpu: "1"}, requests: {cpu: 250m, memory: 100Mi}}
    livenessProbe: {httpGet: {path: "/health z?", port: 8080}, initialDelaySeconds: 3}
    readinessProbe: {exec: {command: [cat, /tmp/x]}}
    startupProbe: {tcpSocket: {port: http}}
    securityContext: {seccompProfile: {type: RuntimeDefault}}
    volumeMounts:
    - {name: e, mountPath: /z}
    - {name: cfg, mountPath: /a, readOnly: true, subPath: sub}
    volumeDevices: [{name: pvc, devicePath: /dev/x}]
  - {name: grpc, image: b, livenessProbe: {grpc: {port: 99, service: svc}}, ports: [{containerPort: 1}]}
  volumes:
  - {name: e, emptyDir: {}}
  - {name: e2, emptyDir: {medium: Memory, sizeLimit: 1Gi}}
  - {name: cfg, configMap: {name: cm, optional: true}}
  - {name: sec, secret: {secretName: s}}
  - {name: hp, hostPath: {path: /x, type: Directory}}
  - {name: hp2, hostPath: {path: /y}}
  - {name: pvc, persistentVolumeClaim: {claimName: claim}}
  - {name: nfs, nfs: {server: a, path: /b}}
  - {name: da, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}, {path: cpu, resourceFieldRef: {containerName: main, resource: limits.cpu}}]}}
  - {name: proj, projected: {sources: [{secret: {name: s}}, {configMap: {name: cm}}, {downwardAPI: {items: []}}, {serviceAccountToken: {path: t}}]}}
  - {name: csi, csi: {driver: d.example.com, volumeAttributes: {a: b, c: d}}}
  - {name: eph, ephemeral: {volumeClaimTemplate: {metadata: {labels: {x: yy}}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}}}}
  - {name: img, image: {reference: foo:1, pullPolicy: Always}}
  - {name: git, gitRepo: {repository: r}}
  - {name: iscsi, iscsi: {targetPortal: 1.2.3.4, iqn: "iqn.2001-04.com.example:storage.disk1", lun: 1}}
  - {name: rbd, rbd: {monitors: [a, b], image: i, secretRef: {name: q}}}
  - {name: flex, flexVolume: {driver: a/b, options: {x: yy}}}
  - {name: fc, fc: {targetWWNs: [a, b], lun: 2}}
---
apiVersion: v1
kind: Pod
metadata: {name: plain}
spec: {nodeName: n1, containers: [{name: c, image: nginx}]}
`

/** The heartbeat lease of a node. */
export const leaseManifest = `
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: n1, namespace: kube-node-lease}
spec: {holderIdentity: n1, renewTime: "2026-01-02T03:04:05.123456Z", leaseDurationSeconds: 40}
`
