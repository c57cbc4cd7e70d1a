import type { BroughtChannelType } from '#schemas/channel-type.ts'
import type { ChannelAdapter } from './channel-port.ts'

type Load = () => Promise<ChannelAdapter>

/** Adapters by channel type. Each is loaded on first use, not at the start. */
export const ADAPTERS: Readonly<Record<string, Load>> = {
  facebook: async () => (await import('./facebook/facebook.ts')).facebook,
  instagram: async () => (await import('./instagram/instagram.ts')).instagram,
  microsoft: async () => (await import('./microsoft/microsoft.ts')).microsoft,
  whatsapp_twilio: async () => (await import('./whatsapp-twilio/whatsapp-twilio.ts')).whatsappTwilio,
  whatsapp_avaya: async () => (await import('./whatsapp-avaya/whatsapp-avaya.ts')).whatsappAvaya,
  whatsapp_meta: async () => (await import('./whatsapp-meta/whatsapp-meta.ts')).whatsappMeta,
  whatsapp_simulated: async () => (await import('./whatsapp-meta/whatsapp-meta.ts')).whatsappMeta,
  whatsapp_gupshup: async () => (await import('./whatsapp-gupshup/whatsapp-gupshup.ts')).whatsappGupshup,
  whatsapp_360dialog: async () => (await import('./whatsapp-360dialog/whatsapp-360dialog.ts')).whatsapp360dialog,
  whatsapp_interaxa: async () => (await import('./whatsapp-interaxa/whatsapp-interaxa.ts')).whatsappInteraxa,
  whatsapp_infobip: async () => (await import('./whatsapp-infobip/whatsapp-infobip.ts')).whatsappInfobip,
  whatsapp_zenvia: async () => (await import('./whatsapp-zenvia/whatsapp-zenvia.ts')).whatsappZenvia,
  blip: async () => (await import('./blip/blip.ts')).blip,
  telegram: async () => (await import('./telegram/telegram.ts')).telegram,
  rest: async () => (await import('./shared/rest-callback.ts')).restCallback,
  marketplace: async () => (await import('./shared/marketplace.ts')).marketplace,
} satisfies Record<BroughtChannelType, Load>
