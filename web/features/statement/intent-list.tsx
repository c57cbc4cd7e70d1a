import { Box, HStack, Input, Text } from '@chakra-ui/react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Plus, TriangleAlert } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StatementIndex } from '#domain/nlu/statement-index.ts'
import { foldName } from '#schemas/fold-text.ts'
import { IconButton } from '#web/components/hint.tsx'
import { RowLink } from '#web/page/row-link.tsx'
import type { Intent } from './use-intents.ts'

/** With fewer lines an intent is learned badly. */
const FEW = 5

interface Props {
  readonly intents: readonly Intent[]
  readonly index: StatementIndex
  readonly open: string | undefined
  readonly addressOf: (intent: string) => string
  /** In the last training, by name. */
  readonly f1: ReadonlyMap<string, number>
  /** Without it none can be made. */
  readonly onNew?: () => void
}

/** Under it an intent needs work. */
const WEAK = 0.75

const F1 = ({ value }: { readonly value: number }) => {
  const { t } = useTranslation('nlu')
  const isWeak = value < WEAK
  return (
    <HStack gap="2" flex="none" title={t('intent.f1of')}>
      <Box w="11" h="1.5" bg="bg.sunken" borderRadius="full" aria-hidden="true">
        <Box h="100%" borderRadius="full" bg={isWeak ? 'warning.solid' : 'fg'} style={{ width: `${value * 100}%` }} />
      </Box>
      <Text
        as="span"
        textStyle="dense"
        fontWeight={isWeak ? 'semibold' : 'normal'}
        color={isWeak ? 'warning.fg' : undefined}
        fontVariantNumeric="tabular-nums"
        aria-label={t('intent.f1', { value })}
      >
        {t('intent.figure', { value })}
      </Text>
    </HStack>
  )
}

interface RowProps {
  readonly intent: Intent
  readonly conflicts: number
  readonly f1: number | undefined
  readonly isOpen: boolean
  readonly to: string
}

const IntentRow = ({ intent, conflicts, f1, isOpen, to }: RowProps) => {
  const { t } = useTranslation('nlu')
  const count = intent.statements.length
  const problem =
    conflicts > 0 ? t('intent.conflicts', { count: conflicts }) : count < FEW ? t('intent.few') : undefined
  return (
    <RowLink to={to} isOpen={isOpen} alignItems="center" gap="3" px="4" py="2.5" minH="58px" borderBottomWidth="1px">
      <Box flex="1" minW="0">
        <Text fontFamily="mono" fontSize="sm" fontWeight={isOpen ? 'bold' : 'normal'} truncate>
          {intent.name}
        </Text>
        <HStack gap="2" textStyle="secondary" color="fg.muted">
          {t('intent.lines', { count })}
          {problem === undefined ? null : (
            <HStack as="span" gap="1" color="warning.fg">
              <TriangleAlert size={12} aria-hidden="true" />
              {problem}
            </HStack>
          )}
        </HStack>
      </Box>
      {f1 === undefined ? null : <F1 value={f1} />}
    </RowLink>
  )
}

const useFound = (intents: readonly Intent[], typed: string): readonly Intent[] =>
  useMemo(
    () =>
      intents
        .filter(({ name }) => foldName(name).includes(foldName(typed)))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    [intents, typed],
  )

/** The intents of a project, with how many lines each has and what is wrong. */
export const IntentList = ({ intents, index, open, addressOf, f1, onNew }: Props) => {
  const { t } = useTranslation('nlu')
  const [typed, setTyped] = useState('')
  const scroll = useRef<HTMLDivElement>(null)
  const found = useFound(intents, typed)
  const list = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => 59,
    getItemKey: at => found[at]?.id ?? at,
    overscan: 10,
  })
  return (
    <>
      <HStack p="3" gap="2" borderBottomWidth="1px">
        <Input
          type="search"
          size="sm"
          aria-label={t('intent.search')}
          placeholder={t('intent.search')}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        {onNew === undefined ? null : (
          <IconButton icon={Plus} variant="outline" label={t('intent.new')} onClick={onNew} />
        )}
      </HStack>
      <Box ref={scroll} as="nav" aria-label={t('intent.all')} flex="1" minH="0" overflow="auto">
        <Box position="relative" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(item => {
            const intent = found[item.index]
            return intent === undefined ? null : (
              <div
                key={item.key}
                style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${item.start}px)` }}
              >
                <IntentRow
                  intent={intent}
                  conflicts={index.conflicts(intent.id)}
                  f1={f1.get(intent.name)}
                  isOpen={intent.id === open}
                  to={addressOf(intent.id)}
                />
              </div>
            )
          })}
        </Box>
        {found.length === 0 ? (
          <Text textStyle="dense" color="fg.muted" p="6" textAlign="center">
            {t('intent.none')}
          </Text>
        ) : null}
      </Box>
    </>
  )
}
