import { describe } from 'node:test'
import { testTranscripts } from '../pods/transcript.test.kit.js'

describe('stories of deployments', () => {
  const controllers = ['deployment-controller', 'replicaset-controller']
  testTranscripts('src/controllers/deployment', { controllers })
})
