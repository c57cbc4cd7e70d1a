import type { ChannelAdapter } from './port.ts'

/** Each provider is loaded with its first call, not with each start. */
export const ADAPTERS: Readonly<Record<string, () => Promise<ChannelAdapter>>> = {}
