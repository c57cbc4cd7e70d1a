import { parseBody, trainingSchema, understandingSchema } from '../nlu.ts'
import { defineRoutes } from '../route.ts'

/** What models make of texts, and how they are trained (NLU.md 5.10, 5.14). */
export const nluRoutes = defineRoutes({
  'POST /nluproject/{id}/parse': { body: parseBody, status: 200, answer: understandingSchema },
  'GET /nluproject/{id}/training': { status: 200, answer: trainingSchema },
  'POST /brain/{id}/parse': { body: parseBody, status: 200, answer: understandingSchema },
  'GET /brain/{id}/training': { status: 200, answer: trainingSchema },
})
