/** How a type of volume source is described. */
export interface SourceWords {
  /** The text after `Type:`. */
  readonly type: string
  /** Label, field, and the text for a missing field. */
  readonly fields: readonly (readonly [label: string, field: string, absent?: unknown])[]
}

const filesystem = ['FSType:', 'fsType'] as const
const readOnly = ['ReadOnly:', 'readOnly', false] as const
const secret = ['SecretRef:', 'secretRef', 'nil'] as const
const optional = ['Optional:', 'optional', false] as const

const iscsi: SourceWords = {
  type: "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
  fields: [
    ['TargetPortal:', 'targetPortal'],
    ['IQN:', 'iqn'],
    ['Lun:', 'lun', 0],
    ['ISCSIInterface', 'iscsiInterface'],
    filesystem,
    readOnly,
    ['Portals:', 'portals', '[]'],
    ['DiscoveryCHAPAuth:', 'chapAuthDiscovery', false],
    ['SessionCHAPAuth:', 'chapAuthSession', false],
    secret,
    ['InitiatorName:', 'initiatorName', '<none>'],
  ],
}

const scaleIo = 'ScaleIO (a persistent volume backed by a block device in ScaleIO)'
const scaleIoFields = [
  ['Gateway:', 'gateway'],
  ['System:', 'system'],
  ['Protection Domain:', 'protectionDomain'],
  ['Storage Pool:', 'storagePool'],
  ['Storage Mode:', 'storageMode'],
  ['VolumeName:', 'volumeName'],
] as const

/** Sources by the field of the volume, in lookup order. Sources that only pods have come first. */
export const podSources: Readonly<Record<string, SourceWords>> = {
  gitRepo: {
    type: 'GitRepo (a volume that is pulled from git when the pod is created)',
    fields: [
      ['Repository:', 'repository'],
      ['Revision:', 'revision'],
    ],
  },
  secret: {
    type: 'Secret (a volume populated by a Secret)',
    fields: [['SecretName:', 'secretName'], optional],
  },
  configMap: {
    type: 'ConfigMap (a volume populated by a ConfigMap)',
    fields: [['Name:', 'name'], optional],
  },
  persistentVolumeClaim: {
    type: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    fields: [['ClaimName:', 'claimName'], readOnly],
  },
  image: {
    type: 'Image (a container image or OCI artifact)',
    fields: [
      ['Reference:', 'reference'],
      ['PullPolicy:', 'pullPolicy'],
    ],
  },
}

/** Sources of both pods and persistent volumes. */
export const sharedSources: Readonly<Record<string, SourceWords>> = {
  hostPath: {
    type: 'HostPath (bare host directory volume)',
    fields: [
      ['Path:', 'path'],
      ['HostPathType:', 'type', '<none>'],
    ],
  },
  gcePersistentDisk: {
    type: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    fields: [['PDName:', 'pdName'], filesystem, ['Partition:', 'partition', 0], readOnly],
  },
  awsElasticBlockStore: {
    type: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    fields: [['VolumeID:', 'volumeID'], filesystem, ['Partition:', 'partition', 0], readOnly],
  },
  nfs: {
    type: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    fields: [['Server:', 'server'], ['Path:', 'path'], readOnly],
  },
  iscsi,
  glusterfs: {
    type: "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
    fields: [['EndpointsName:', 'endpoints'], ['Path:', 'path'], readOnly],
  },
  rbd: {
    type: "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)",
    fields: [
      ['CephMonitors:', 'monitors', '[]'],
      ['RBDImage:', 'image'],
      filesystem,
      ['RBDPool:', 'pool'],
      ['RadosUser:', 'user'],
      ['Keyring:', 'keyring'],
      secret,
      readOnly,
    ],
  },
  quobyte: {
    type: "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
    fields: [['Registry:', 'registry'], ['Volume:', 'volume'], readOnly],
  },
  vsphereVolume: {
    type: 'vSphereVolume (a Persistent Disk resource in vSphere)',
    fields: [['VolumePath:', 'volumePath'], filesystem, ['StoragePolicyName:', 'storagePolicyName']],
  },
  cinder: {
    type: 'Cinder (a Persistent Disk resource in OpenStack)',
    fields: [['VolumeID:', 'volumeID'], filesystem, readOnly, secret],
  },
  azureDisk: {
    type: 'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
    fields: [
      ['DiskName:', 'diskName'],
      ['DiskURI:', 'diskURI'],
      ['Kind: ', 'kind'],
      filesystem,
      ['CachingMode:', 'cachingMode'],
      readOnly,
    ],
  },
  photonPersistentDisk: {
    type: 'PhotonPersistentDisk (a Persistent Disk resource in photon platform)',
    fields: [['PdID:', 'pdID'], filesystem],
  },
  portworxVolume: {
    type: 'PortworxVolume (a Portworx Volume resource)',
    fields: [['VolumeID:', 'volumeID']],
  },
  scaleIO: { type: scaleIo, fields: [...scaleIoFields, filesystem, readOnly] },
  cephfs: {
    type: "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
    fields: [
      ['Monitors:', 'monitors', '[]'],
      ['Path:', 'path'],
      ['User:', 'user'],
      ['SecretFile:', 'secretFile'],
      secret,
      readOnly,
    ],
  },
  storageos: {
    type: 'StorageOS (a StorageOS Persistent Disk resource)',
    fields: [['VolumeName:', 'volumeName'], ['VolumeNamespace:', 'volumeNamespace'], filesystem, readOnly],
  },
  azureFile: {
    type: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    fields: [['SecretName:', 'secretName'], ['ShareName:', 'shareName'], readOnly],
  },
  flexVolume: {
    type: 'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)',
    fields: [['Driver:', 'driver'], filesystem, secret, readOnly, ['Options:', 'options', 'map[]']],
  },
  flocker: {
    type: 'Flocker (a Flocker volume mounted by the Flocker agent)',
    fields: [
      ['DatasetName:', 'datasetName'],
      ['DatasetUUID:', 'datasetUUID'],
    ],
  },
}

/** Sources that only persistent volumes have, or that have more fields there. */
export const persistentSources: Readonly<Record<string, SourceWords>> = {
  ...sharedSources,
  local: {
    type: 'LocalVolume (a persistent volume backed by local storage on a node)',
    fields: [['Path:', 'path']],
  },
  glusterfs: {
    type: sharedSources.glusterfs!.type,
    fields: [
      ['EndpointsName:', 'endpoints'],
      ['EndpointsNamespace:', 'endpointsNamespace', '<unset>'],
      ['Path:', 'path'],
      readOnly,
    ],
  },
  scaleIO: {
    type: scaleIo,
    fields: [
      ...scaleIoFields,
      ['SecretName:', 'secretRef.name'],
      ['SecretNamespace:', 'secretRef.namespace'],
      filesystem,
      readOnly,
    ],
  },
  azureFile: {
    type: sharedSources.azureFile!.type,
    fields: [
      ['SecretName:', 'secretName'],
      ['SecretNamespace:', 'secretNamespace'],
      ['ShareName:', 'shareName'],
      readOnly,
    ],
  },
}
