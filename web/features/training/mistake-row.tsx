import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { Check, RotateCcw, Shuffle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { parseStatement } from '#domain/nlu/project-data.ts'
import { Chip } from '#web/components/chip.tsx'
import { MarkedText, type StatementOwner } from '#web/features/statement/index.ts'
import { intentAddress } from './line-address.ts'
import type { Mistake } from './mistake.ts'

interface Props {
  readonly owner: StatementOwner
  readonly project: string
  readonly mistake: Mistake
  readonly entities: readonly string[]
  readonly move: ((mistake: Mistake) => Promise<void>) | undefined
  readonly review: ((mistake: Mistake) => void) | undefined
}

/** One line that the model took for another intent, and what can be done about it. */
export const MistakeRow = ({ owner, project, mistake, entities, move, review }: Props) => {
  const { t } = useTranslation('training')
  const { text, intent, as, score, like, isDone, target, line } = mistake
  const address = mistake.owner && intentAddress(owner, project, mistake.owner.id, line)
  return (
    <Box role="listitem" px="4" py="2.5" borderBottomWidth="1px">
      <Box fontSize={{ base: 'md', md: 'sm' }} lineHeight="1.6" overflowWrap="anywhere">
        <MarkedText statement={parseStatement(text)} entities={entities} />
      </Box>
      {like === undefined ? null : (
        <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
          {t('mistakes.other', { text: parseStatement(like).text })}
        </Text>
      )}
      <HStack mt="1.5" gap="2" flexWrap="wrap">
        <Text as="span" textStyle="secondary" fontFamily="mono">
          {intent}
        </Text>
        <Chip tone="warning" minW="0" flexShrink="1">
          <Shuffle size={12} aria-hidden="true" style={{ flex: 'none' }} />
          <Text as="span" truncate>
            {t(like === undefined ? 'mistakes.taken' : 'mistakes.looks', { name: as, score })}
          </Text>
        </Chip>
        <HStack gap="1" ms="auto" flexWrap="wrap">
          {address === undefined ? (
            <Text as="span" textStyle="secondary" color="fg.muted">
              {t('mistakes.inherited')}
            </Text>
          ) : (
            <Button asChild size="xs" variant="ghost" color="accent.fg">
              <Link to={address}>{t('mistakes.open')}</Link>
            </Button>
          )}
          {move === undefined || address === undefined || target === undefined || isDone ? null : (
            <Button size="xs" variant="ghost" color="accent.fg" onClick={() => void move(mistake)}>
              {t('mistakes.move', { name: as })}
            </Button>
          )}
          {review === undefined ? null : (
            <Button size="xs" variant="outline" onClick={() => review(mistake)}>
              {isDone ? <RotateCcw size={13} aria-hidden="true" /> : <Check size={13} aria-hidden="true" />}
              {t(isDone ? 'mistakes.again' : 'mistakes.markdone')}
            </Button>
          )}
        </HStack>
      </HStack>
    </Box>
  )
}
