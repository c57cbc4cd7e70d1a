import { Star, StarOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RATING_SCORES } from '#schemas/rating.ts'
import { minuteOf } from '#web/format/time.ts'
import type { Turn } from './conversation-query.ts'

type Rating = NonNullable<Turn['ratings']>[number]
type RatingText = Pick<Rating, 'kind' | 'about'> &
  Partial<Pick<Rating, 'scale' | 'score'>> & {
    readonly why?: string | undefined
    /** The comment on a score that was given before. */
    readonly isComment?: boolean
  }

/** A rating in words: `rated the agent: 4 of 5`. */
export const useRatingText = () => {
  const { t } = useTranslation('tool')
  return ({ kind, about, scale, score = 0, why = '', isComment = false }: RatingText): string => {
    if (isComment) return t(`conversation.rating.commented.${about}`)
    if (kind === 'unrated')
      return t(`conversation.rating.unrated.${why}`, { defaultValue: t('conversation.rating.no') })
    if (kind === 'asked') return t(`conversation.rating.asked.${about}`)
    const shown =
      scale === 'thumbs'
        ? t(`conversation.rating.thumbs.${score}`)
        : t('conversation.rating.of', { score, max: RATING_SCORES[scale ?? '5'].at(-1) })
    return t(`conversation.rating.rated.${about}`, { score: shown })
  }
}

/** Line about a rating between the messages of a conversation. */
export const RatingLine = ({ rating, time }: { readonly rating: RatingText; readonly time?: string }) => {
  const text = useRatingText()(rating)
  const Icon = rating.kind === 'unrated' ? StarOff : Star
  return (
    <p className="cv-line">
      <Icon size={12} aria-hidden />
      {text}
      {time === undefined ? null : ` · ${minuteOf(time)}`}
    </p>
  )
}
