import { chakra, HStack, type HTMLChakraProps, Skeleton, Text } from '@chakra-ui/react'
import { TrendingDown, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { Hint } from '#web/components/hint.tsx'
import { numberText } from '#web/format/number.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { countText, rateOf, type Share, shareText } from './insight-text.ts'

interface FigureLinkProps {
  /** Undefined: a number alone. */
  readonly to: string | undefined
  readonly label?: string
  readonly children: ReactNode
}

/** A number that opens its conversations. */
export const FigureLink = ({ to, label, children }: FigureLinkProps) =>
  to === undefined ? (
    children
  ) : (
    <RouterLink
      to={to}
      aria-label={label}
      borderBottomWidth="1px"
      borderBottomStyle="dotted"
      borderColor="border.emphasized"
      fontVariantNumeric="tabular-nums"
      _hover={{ color: 'accent.fg', borderColor: 'accent.solid' }}
      focusVisibleRing="outside"
    >
      {children}
    </RouterLink>
  )

interface ShareFigureProps extends Omit<FigureLinkProps, 'children'> {
  readonly share: Share
}

/** A share, always with its counts. */
export const ShareFigure = ({ share, ...link }: ShareFigureProps) => {
  const { t } = useTranslation('insight')
  const { part, whole } = share
  return (
    <>
      <FigureLink {...link}>{shareText(share, (one, all) => t('few', { part: one, whole: all }))}</FigureLink>
      {rateOf(share) === undefined ? null : (
        <Quiet>{t('of', { part: countText(part), whole: countText(whole) })}</Quiet>
      )}
    </>
  )
}

interface ChangeProps {
  /** In percent or in points. */
  readonly change: number | undefined
  readonly unit: 'percent' | 'points'
  readonly isGood: boolean | undefined
}

/** The change against another period or release: its direction by an arrow and in words, whether it is good by color. */
export const Change = ({ change, unit, isGood }: ChangeProps) => {
  const { t } = useTranslation('insight')
  if (change === undefined) return null
  const shown = numberText(Math.abs(change), { maximumFractionDigits: Math.abs(change) < 10 ? 1 : 0 })
  if (Number(shown.replace(',', '.')) === 0) return null
  const isUp = change > 0
  const Arrow = isUp ? TrendingUp : TrendingDown
  const isBetter = isGood === undefined ? undefined : isUp === isGood
  return (
    <HStack
      as="span"
      className="in-change"
      gap="1"
      textStyle="secondary"
      fontWeight="medium"
      color={isBetter === undefined ? 'fg.muted' : isBetter ? 'positive.fg' : 'warning.fg'}
    >
      <Arrow size={13} aria-hidden="true" />
      <span>{t(`change.${isUp ? 'up' : 'down'}.${unit}`, { shown })}</span>
    </HStack>
  )
}

/** Name of a figure with its definition. */
export const FigureName = ({ name }: { readonly name: string }) => {
  const { t } = useTranslation('insight')
  return (
    <Hint text={t(`definition.${name}`)}>
      <chakra.button
        type="button"
        color="fg.muted"
        textStyle="secondary"
        fontWeight="medium"
        textAlign="start"
        cursor="help"
        minH={{ base: '6', md: 'auto' }}
        focusVisibleRing="outside"
      >
        {t(`name.${name}`)}
      </chakra.button>
    </Hint>
  )
}

/** Says to users who may not read conversations that counts are rounded. */
export const RoundedNote = (place: Pick<HTMLChakraProps<'p'>, 'px' | 'py' | 'mb' | 'borderTopWidth'>) => {
  const { t } = useTranslation('insight')
  const { can } = useSession()
  if (can('readconversation')) return null
  return (
    <Text textStyle="secondary" color="fg.muted" {...place}>
      {t('note.rounded')}
    </Text>
  )
}

/** A card whose rows are loading. */
export const CardSkeleton = () => <Skeleton h="120px" m="4" borderRadius="md" />

export const Quiet = ({ children }: { readonly children: ReactNode }) => (
  <Text as="span" textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
    {children}
  </Text>
)
