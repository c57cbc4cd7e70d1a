import { objectOf, objectsOf, scalarText } from '#schemas/json.ts'
import { profileAdapter } from '../profile/profile-adapter.ts'
import { cloudEvents } from '../whatsapp-cloud/cloud-events.ts'
import { CLOUD_CAPABILITIES, cloudBody } from '../whatsapp-cloud/cloud-messages.ts'

/** WhatsApp by Interaxa, whose API is not public: Meta's bodies, unless the channel maps them otherwise. */
export const whatsappInteraxa = profileAdapter({
  capabilities: CLOUD_CAPABILITIES,
  usualBody: cloudBody,
  usualEvents: cloudEvents,
  usualId: body => scalarText(objectsOf(objectOf(body).messages)[0]?.id),
})
