/** Workloads and disruption budgets. */
export const workloadManifests = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}, annotations: {deployment.kubernetes.io/revision: "1"}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: In, values: [a, b]}]}
  minReadySeconds: 5
  template: &t
    metadata: {labels: {app: web, tier: a}, annotations: {x: yy}}
    spec:
      serviceAccountName: sa
      priorityClassName: high
      initContainers: [{name: i, image: busybox}]
      containers: [{name: c, image: nginx, ports: [{containerPort: 80}], env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}], volumeMounts: [{name: v, mountPath: /v}]}]
      volumes: [{name: v, emptyDir: {}}]
      nodeSelector: {a: b}
      tolerations: [{operator: Exists}]
      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}, {maxSkew: 1, topologyKey: host, whenUnsatisfiable: DoNotSchedule}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: recreate}
spec: {strategy: {type: Recreate}, selector: {matchLabels: {app: r}}, template: {metadata: {labels: {app: r}}, spec: {containers: [{name: c, image: x}]}}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: rs}
spec: {replicas: 2, selector: {matchLabels: {app: rs}}, template: {metadata: {labels: {app: rs}}, spec: {containers: [{name: c, image: x}]}}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: rc}
spec: {replicas: 2, selector: {app: rc}, template: {metadata: {labels: {app: rc}}, spec: {containers: [{name: c, image: x}]}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ds}
spec: {selector: {matchLabels: {app: ds}}, template: {metadata: {labels: {app: ds}}, spec: {nodeSelector: {a: b}, containers: [{name: c, image: x}]}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: sts}
spec: {serviceName: s, selector: {matchLabels: {app: sts}}, template: {metadata: {labels: {app: sts}}, spec: {containers: [{name: c, image: x}]}}, volumeClaimTemplates: [{metadata: {name: d, labels: {a: b, c: d}}, spec: {accessModes: [ReadWriteOnce, ReadOnlyMany], storageClassName: fast, resources: {requests: {storage: 1Gi}}}}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec: {completions: 3, parallelism: 2, completionMode: Indexed, activeDeadlineSeconds: 60, ttlSecondsAfterFinished: 10, template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cj}
spec: {schedule: "* * * * *", startingDeadlineSeconds: 10, jobTemplate: {spec: {parallelism: 2, activeDeadlineSeconds: 5, template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: hpa}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 1
  maxReplicas: 5
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}
  - {type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 1Gi}}}
  - {type: Pods, pods: {metric: {name: p}, target: {type: AverageValue, averageValue: "1"}}}
  - {type: Object, object: {describedObject: {kind: Service, name: s}, metric: {name: o}, target: {type: Value, value: "10"}}}
  - {type: Object, object: {describedObject: {kind: Service, name: s}, metric: {name: o}, target: {type: AverageValue, averageValue: "10"}}}
  - {type: External, external: {metric: {name: e}, target: {type: Value, value: "10"}}}
  - {type: External, external: {metric: {name: e}, target: {type: AverageValue, averageValue: "10"}}}
  - {type: ContainerResource, containerResource: {name: cpu, container: c, target: {type: Utilization, averageUtilization: 50}}}
  behavior: {scaleDown: {stabilizationWindowSeconds: 300, policies: [{type: Pods, value: 1, periodSeconds: 60}]}, scaleUp: {selectPolicy: Min}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: pdb}
spec: {minAvailable: 50%, selector: {matchLabels: {app: web}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: pdb2}
spec: {maxUnavailable: 1}
`

/** Services, endpoints and ingresses. */
export const networkManifests = `
apiVersion: v1
kind: Service
metadata: {name: svc, labels: {a: b}}
spec: {type: NodePort, selector: {app: web}, ports: [{name: http, port: 80, targetPort: web}, {name: dns, port: 53, protocol: UDP, targetPort: 5353}]}
---
apiVersion: v1
kind: Service
metadata: {name: plainsvc}
spec: {ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: ext}
spec: {type: ExternalName, externalName: example.com}
---
apiVersion: v1
kind: Service
metadata: {name: lb}
spec: {type: LoadBalancer, selector: {a: b}, externalTrafficPolicy: Local, loadBalancerSourceRanges: [10.0.0.0/8], externalIPs: [1.2.3.4], ports: [{port: 80}], sessionAffinity: ClientIP, trafficDistribution: PreferClose}
---
apiVersion: v1
kind: Service
metadata: {name: headless}
spec: {clusterIP: None, selector: {a: b}}
---
apiVersion: v1
kind: Endpoints
metadata: {name: svc}
subsets:
- {addresses: [{ip: 10.0.0.1}, {ip: 10.0.0.2}], notReadyAddresses: [{ip: 10.0.0.3}], ports: [{name: http, port: 80}, {port: 81, name: dns, protocol: UDP}]}
- {addresses: [{ip: 10.0.0.9}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: svc-1, labels: {kubernetes.io/service-name: svc}}
addressType: IPv4
ports: [{name: http, port: 80, protocol: TCP}, {name: dns, port: 81, protocol: UDP}]
endpoints:
- {addresses: [10.0.0.1], conditions: {ready: true}, hostname: h, targetRef: {kind: Pod, name: p}, nodeName: n1, zone: z}
- {addresses: [10.0.0.2]}
- {addresses: [10.0.0.3], conditions: {ready: false}}
- {addresses: [10.0.0.4]}
- {addresses: [10.0.0.5]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: empty}
addressType: IPv6
endpoints: []
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ing, annotations: {a: b}}
spec:
  ingressClassName: nginx
  tls: [{hosts: [a.com, b.com], secretName: tls}, {hosts: [c.com]}]
  defaultBackend: {service: {name: svc, port: {name: http}}}
  rules:
  - {host: a.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: svc, port: {number: 80}}}}, {path: /x, pathType: Exact, backend: {service: {name: nosuch, port: {number: 8}}}}]}}
  - {http: {paths: [{path: /y, pathType: Prefix, backend: {resource: {apiGroup: g, kind: K, name: nn}}}]}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: bare}
spec: {defaultBackend: {service: {name: plainsvc, port: {number: 80}}}}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx}
spec: {controller: example.com/c, parameters: {apiGroup: g, kind: K, name: nn}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: np}
spec:
  podSelector: {matchLabels: {a: b}}
  policyTypes: [Ingress, Egress]
  ingress:
  - {ports: [{port: 80}, {port: 100, endPort: 200, protocol: UDP}], from: [{podSelector: {matchLabels: {x: yy}}, namespaceSelector: {}}, {ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16, 10.2.0.0/16]}}, {namespaceSelector: {matchLabels: {n: s}}}]}
  - {}
  egress: []
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: all}
spec: {podSelector: {}}
`

/** Configuration, storage, quotas and roles. */
export const otherManifests = `
apiVersion: v1
kind: ConfigMap
metadata: {name: cm}
data: {a: "b\\nc\\td\\n", z: last, m: ""}
binaryData: {bin: AAEC}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: emptycm}
---
apiVersion: v1
kind: Secret
metadata: {name: s}
data: {k: YWJj}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: q}
spec: {hard: {cpu: "4", memory: 10Gi, pods: "10"}, scopes: [NotTerminating, NotBestEffort]}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: q2}
spec: {hard: {services: "5"}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-hp, labels: {a: b}}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce, ReadOnlyMany], storageClassName: fast, hostPath: {path: /x}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [x, z]}, {key: b, operator: Exists}]}]}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-csi}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteMany], csi: {driver: d.example.com, volumeHandle: h, volumeAttributes: {a: b, c: d}}, claimRef: {namespace: default, name: claim}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-local}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], local: {path: /x}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [x]}]}]}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: claim}
spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: bound}
spec: {accessModes: [ReadWriteOnce], volumeName: pv-hp, resources: {requests: {storage: 1Gi}}, dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: snap}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: example.com/p
parameters: {a: b, c: d}
mountOptions: [ro, soft]
allowVolumeExpansion: true
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}, {key: host, values: [c]}]}]
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: slow}
provisioner: example.com/p
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: n1}
spec: {drivers: [{name: d, nodeID: x, topologyKeys: [a, b], allocatable: {count: 3}}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: role}
rules:
- {apiGroups: ["", apps], resources: [pods, deployments, deployments/scale], verbs: [get, list]}
- {apiGroups: [""], resources: [pods], verbs: [watch]}
- {apiGroups: [""], resources: [secrets], resourceNames: [a, b], verbs: [get, update]}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: lease}
spec: {holderIdentity: me, leaseDurationSeconds: 15}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa}
secrets: [{name: s}, {name: gone}]
imagePullSecrets: [{name: pull}]
---
apiVersion: v1
kind: LimitRange
metadata: {name: lr}
spec: {limits: [{type: Container, max: {cpu: "2"}, min: {cpu: 10m}, default: {cpu: 500m}, defaultRequest: {cpu: 100m}, maxLimitRequestRatio: {cpu: "10"}}, {type: Pod, max: {memory: 1Gi}}]}
`
