import { test } from 'node:test'
import { containersMissing } from '../../testing/containers/container-packages.js'
import { containerdUnderTest } from '../../testing/containers/containerd-runtime.js'
import { runtimeContract } from '../../testing/cri/contract/runtime-contract.js'

const missing = await containersMissing()
if (missing) test('containerd fulfils the contract of container runtimes', { skip: missing })
else runtimeContract('containerd', containerdUnderTest)
