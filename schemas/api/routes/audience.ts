import {
  contactBody,
  contactChangeBody,
  contactForgetBody,
  contactForgottenSchema,
  contactFoundSchema,
  contactImportQuery,
  contactMadeSchema,
  contactOneQuery,
  contactPageSchema,
  contactPreviewQuery,
  contactPreviewSchema,
  contactQuery,
  contactSchema,
  contactSearchBody,
  uploadAnswer,
  uploadQuery,
} from '../audience.ts'
import { exportAnswer, fileBody } from '../file.ts'
import { defineRoutes } from '../route.ts'
import {
  suppressionBody,
  suppressionExportQuery,
  suppressionFoundSchema,
  suppressionImportBody,
  suppressionImportedSchema,
  suppressionLiftBody,
  suppressionLiftedSchema,
  suppressionMadeSchema,
  suppressionPageSchema,
  suppressionQuery,
  suppressionSearchBody,
} from '../suppression.ts'
import { nothingSchema } from '../write.ts'

/** Contacts of campaigns and what brings them. */
export const audienceRoutes = defineRoutes({
  'GET /contact': { query: contactQuery, status: 200, answer: contactPageSchema },
  'POST /contact': { body: contactBody, status: 201, answer: contactMadeSchema },
  'POST /contact/search': { body: contactSearchBody, status: 200, answer: contactFoundSchema },
  'GET /contact/{id}': { query: contactOneQuery, status: 200, answer: contactSchema },
  'PATCH /contact/{id}': { body: contactChangeBody, status: 200, answer: contactMadeSchema },
  'DELETE /contact/{id}': { query: contactOneQuery, status: 204, answer: nothingSchema },
  'POST /contact/{id}/forget': { body: contactForgetBody, status: 200, answer: contactForgottenSchema },
  'GET /suppression': { query: suppressionQuery, status: 200, answer: suppressionPageSchema },
  'GET /suppression/export': { query: suppressionExportQuery, status: 200, answer: exportAnswer, file: true },
  'POST /suppression': { body: suppressionBody, status: 200, answer: suppressionMadeSchema },
  'POST /suppression/search': { body: suppressionSearchBody, status: 200, answer: suppressionFoundSchema },
  'POST /suppression/lift': { body: suppressionLiftBody, status: 200, answer: suppressionLiftedSchema },
  'POST /suppression/import': { body: suppressionImportBody, status: 200, answer: suppressionImportedSchema },
  'POST /campaign/{id}/contacts/preview': {
    query: contactPreviewQuery,
    body: fileBody,
    status: 200,
    answer: contactPreviewSchema,
  },
  'POST /campaign/{id}/contacts/import': {
    query: contactImportQuery,
    body: fileBody,
    status: 202,
    answer: uploadAnswer,
  },
  'POST /campaignuploadprofile/{id}/upload': { query: uploadQuery, body: fileBody, status: 202, answer: uploadAnswer },
  'GET /campaignupload/{id}/rejects': { status: 200, answer: exportAnswer, file: true },
})
