import { Box, HStack, Stack, Text } from '@chakra-ui/react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { parseStatement } from '#domain/nlu/project-data.ts'
import type { StatementIndex } from '#domain/nlu/statement-index.ts'
import { hueOf, type Intent, problemsOf } from './use-intents.ts'
import type { LastTraining } from './use-last-training.ts'

interface Props {
  readonly intent: Intent
  readonly index: StatementIndex
  readonly entities: readonly string[]
  readonly training: LastTraining
}

const counted = (names: readonly string[]): Counted => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

type Counted = readonly (readonly [name: string, count: number])[]

const Section = ({ title, none, children }: { title: string; none: string | undefined; children: React.ReactNode }) => (
  <Box p="4" borderBottomWidth="1px">
    <Text as="h2" textStyle="card" mb="2.5">
      {title}
    </Text>
    {none === undefined ? null : (
      <Text textStyle="secondary" color="fg.muted">
        {none}
      </Text>
    )}
    <Stack as="ul" listStyleType="none" gap="2.5">
      {children}
    </Stack>
  </Box>
)

const EntityCounts = ({ marked, entities }: { readonly marked: Counted; readonly entities: readonly string[] }) => {
  const { t } = useTranslation('nlu')
  const most = Math.max(1, ...marked.map(([, count]) => count))
  return (
    <Section title={t('facts.entities')} none={marked.length === 0 ? t('facts.noentities') : undefined}>
      {marked.map(([name, count]) => (
        <Box as="li" key={name} colorPalette={hueOf(name, entities)} textStyle="dense">
          <HStack gap="2">
            <Box boxSize="2.5" borderRadius="2px" bg="colorPalette.solid" flex="none" />
            <Text as="span" flex="1" truncate>
              {name}
            </Text>
            <Text as="span" color="fg.muted" fontVariantNumeric="tabular-nums">
              {count}
            </Text>
          </HStack>
          <Box mt="1" h="1.5" bg="bg.sunken" borderRadius="full">
            <Box h="100%" bg="colorPalette.solid" borderRadius="full" style={{ width: `${(100 * count) / most}%` }} />
          </Box>
        </Box>
      ))}
    </Section>
  )
}

/** Which entities an intent's lines hold, and which intents it is confused with. */
export const FactsPane = ({ intent, index, entities, training }: Props) => {
  const { t } = useTranslation('nlu')
  const marked = useMemo(
    () => counted(intent.statements.flatMap(({ text }) => parseStatement(text).spans.map(({ entity }) => entity))),
    [intent],
  )
  const confused = useMemo(
    () =>
      counted(
        [...problemsOf(intent, index, training.confused(intent)).values()].flatMap(one =>
          one.kind === 'duplicate' ? [] : [one.with.name],
        ),
      ),
    [intent, index, training],
  )
  return (
    <>
      <EntityCounts marked={marked} entities={entities} />
      <Section title={t('facts.confused')} none={confused.length === 0 ? t('facts.notconfused') : undefined}>
        {confused.map(([name, count]) => (
          <HStack as="li" key={name} textStyle="dense">
            <Text as="span" fontFamily="mono" flex="1" truncate>
              {name}
            </Text>
            <Text as="span" color="warning.fg" fontWeight="semibold">
              {count}
            </Text>
          </HStack>
        ))}
      </Section>
    </>
  )
}
