import {
  botDropoffQuery,
  conversationDetailSchema,
  conversationExportQuery,
  conversationPageSchema,
  conversationQuery,
  conversationReadersSchema,
  conversationReplaySchema,
  conversationTranscriptSchema,
  dropoffQuery,
  dropoffSchema,
  forgetBody,
  forgottenSchema,
  transcriptQuery,
} from '../conversation.ts'
import {
  keptTestBody,
  readTestsBody,
  readTestsSchema,
  runTestsBody,
  testMomentsQuery,
  testMomentsSchema,
  testRunSchema,
} from '../conversation-test.ts'
import { exportAnswer } from '../file.ts'
import { defineRoutes } from '../route.ts'
import { simulationTestFile } from '../simulation.ts'

/** Messages and steps of conversations (RUNTIME 91, 92). */
export const conversationRoutes = defineRoutes({
  'GET /conversation': { query: conversationQuery, status: 200, answer: conversationPageSchema },
  'GET /conversation/export': {
    produces: 'text/csv',
    query: conversationExportQuery,
    status: 200,
    answer: exportAnswer,
    file: true,
  },
  'GET /conversation/{id}': { status: 200, answer: conversationDetailSchema },
  'GET /conversation/{id}/transcript': { query: transcriptQuery, status: 200, answer: conversationTranscriptSchema },
  'GET /conversation/{id}/replay': { status: 200, answer: conversationReplaySchema },
  'GET /conversation/{id}/readers': { status: 200, answer: conversationReadersSchema },
  'POST /conversation/{id}/forget': { body: forgetBody, status: 200, answer: forgottenSchema },
  'POST /conversation/{id}/test': { body: keptTestBody, status: 200, answer: simulationTestFile },
  'GET /bot/{id}/tests': { tag: 'conversationtest', query: testMomentsQuery, status: 200, answer: testMomentsSchema },
  'POST /bot/{id}/tests': { tag: 'conversationtest', body: runTestsBody, status: 200, answer: testRunSchema },
  'POST /bot/{id}/readtests': { tag: 'conversationtest', body: readTestsBody, status: 200, answer: readTestsSchema },
  'GET /bot/{id}/dropoff': { tag: 'conversation', query: botDropoffQuery, status: 200, answer: dropoffSchema },
  'GET /dialog/{id}/dropoff': { tag: 'conversation', query: dropoffQuery, status: 200, answer: dropoffSchema },
})
