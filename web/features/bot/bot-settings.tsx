import { Navigate, useParams, useSearchParams } from 'react-router'
import { isEntityName } from '#schemas/entities/registry.ts'
import { BOT_QUERY } from '#web/entity/address.ts'

const target = (word: string | undefined, bot: string | null): string => {
  if (word !== undefined && isEntityName(word)) return bot === null ? `/${word}/search` : `/bot/settings/${word}/${bot}`
  const id = word ?? bot
  return id === null ? '/bot/search' : `/bot/${id}`
}

/** /bot/settings/{id} is the bot's page, /bot/settings/{section} the section of the bot that `pid` names. */
export const BotSettings = () => {
  const { word } = useParams()
  const [search] = useSearchParams()
  return <Navigate replace to={target(word, search.get(BOT_QUERY))} />
}
