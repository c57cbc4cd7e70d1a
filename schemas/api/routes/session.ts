import {
  endSessionsBody,
  levelsSchema,
  loginAnswerSchema,
  loginBody,
  passwordBody,
  recoveryBody,
  recoveryCodesSchema,
  recoveryStateSchema,
  registrationAnswerSchema,
  registrationBody,
  seeAsBody,
  sessionsSchema,
  sessionUserSchema,
  ticketSchema,
  userDetailsSchema,
  userHierarchySchema,
  verificationBody,
} from '../../auth.ts'
import { defineRoutes } from '../route.ts'
import { nothingSchema } from '../write.ts'

/** Signing in and out, the caller's own sessions and level. */
export const sessionRoutes = defineRoutes({
  'POST /auth/login': { body: loginBody, status: 200, answer: loginAnswerSchema },
  'POST /auth/logout': { status: 204, answer: nothingSchema },
  'GET /auth/user': { status: 200, answer: sessionUserSchema },
  'GET /auth/session': { status: 200, answer: sessionsSchema },
  'POST /auth/session/end': { body: endSessionsBody, status: 204, answer: nothingSchema },
  'POST /auth/seeas': { body: seeAsBody, status: 204, answer: nothingSchema },
  'POST /auth/seeas/end': { status: 204, answer: nothingSchema },
  'POST /user/register2fa': { body: registrationBody, status: 200, answer: registrationAnswerSchema },
  'POST /user/verify2fa': { body: verificationBody, status: 200, answer: loginAnswerSchema },
  'GET /user/recoverycodes': { status: 200, answer: recoveryStateSchema },
  'POST /user/recoverycodes': { body: recoveryBody, status: 200, answer: recoveryCodesSchema },
  'POST /user/password': { body: passwordBody, status: 204, answer: nothingSchema },
  'GET /userdetails': { status: 200, answer: userDetailsSchema },
  'GET /userhierarchy': { status: 200, answer: userHierarchySchema },
  'GET /selectfromoriginallevel': { status: 200, answer: levelsSchema },
  'POST /changehierarchylevel/{level}': { status: 204, answer: nothingSchema },
  'POST /realtime/ticket': { status: 200, answer: ticketSchema },
})
