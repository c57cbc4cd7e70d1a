import { createChatHttp } from './chat-http.ts'
import { spokenLanguage } from './dom.ts'

/** The language in which a channel's bot and this person talk; none where the server does not answer. */
export const askLanguage = async (base: string, channel: string): Promise<string> => {
  try {
    const path = `/chat/${encodeURIComponent(channel)}/look`
    const { languages } = await createChatHttp(base).call<{ languages?: readonly string[] }>(path)
    return spokenLanguage([document.documentElement.lang, ...navigator.languages], languages ?? [])
  } catch {
    return ''
  }
}
