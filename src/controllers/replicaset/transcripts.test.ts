import { describe } from 'node:test'
import { testTranscripts } from '../pods/transcript.test.kit.js'

describe('transcripts of replica sets', () => {
  const controllers = ['replicaset-controller', 'replicationcontroller-controller']
  testTranscripts('src/controllers/replicaset', { controllers })
})
