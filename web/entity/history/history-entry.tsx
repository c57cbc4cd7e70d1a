import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { Hint } from '#web/components/hint.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { addressOf } from '#web/entity/address.ts'
import type { HistoryItem } from '#web/entity/entity-query.ts'
import { inSentence, type Label, useLabel } from '#web/entity/label.ts'
import { useActor } from '#web/entity/person-query.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'

/** Text of a change: `changed 3 fields`, `restarted`. */
const useActionText = () => {
  const { t } = useTranslation('history')
  return (label: Label, entity: string, item: Pick<HistoryItem, 'action' | 'changes'>): string =>
    item.action === 'changed' ? t('changedfields', { count: item.changes.length }) : label.verb(entity, item.action)
}

interface Props {
  readonly entity: EntityDeclaration
  readonly item: HistoryItem
  readonly chosen: boolean
  readonly last: boolean
  onChoose(): void
}

/** One history entry: person, action, fields, time. */
export const HistoryEntry = ({ entity, item, chosen, last, onChoose }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const sentence = useActionText()
  const actor = useActor()({ entity: entity.name, action: item.action, person: item.actor })
  const fields = [...new Set(item.changes.map(({ path }) => label.field(entity.name, path)))]
  return (
    <li>
      <chakra.button
        type="button"
        aria-pressed={chosen}
        onClick={onChoose}
        display="flex"
        gap="3"
        w="100%"
        px="4"
        py="2.5"
        textAlign="start"
        cursor="pointer"
        position="relative"
        bg={chosen ? 'accent.subtle' : 'transparent'}
        borderLeftWidth="3px"
        borderColor={chosen ? 'accent.solid' : 'transparent'}
        _hover={{ bg: chosen ? 'accent.subtle' : 'bg.subtle' }}
        focusVisibleRing="inside"
      >
        <Box position="relative" flex="none">
          <PersonAvatar person={actor} size={24} />
          {last ? null : <Box position="absolute" left="11px" top="28px" h="calc(100% - 12px)" w="2px" bg="border" />}
        </Box>
        <Box flex="1" minW="0">
          <Text textStyle="dense">
            <b>{nameOf(actor)}</b> {sentence(label, entity.name, item)}
          </Text>
          {item.token === undefined ? null : (
            <Text textStyle="secondary" color="fg.muted">
              {t('audit.token')} {item.token.name ?? '–'}
            </Text>
          )}
          {item.action === 'changed' || item.action === 'restored' ? (
            <Text textStyle="secondary" color="fg.muted" lineClamp={2}>
              {fields.join(', ')}
            </Text>
          ) : null}
        </Box>
        <Box textAlign="end" flex="none">
          <Hint text={momentOf(item.time)} side="left">
            <HStack as="time" textStyle="secondary" color="fg.muted">
              {agoOf(item.time)}
            </HStack>
          </Hint>
          <Text textStyle="caption" color="fg.subtle">
            r{item.revision}
          </Text>
        </Box>
      </chakra.button>
    </li>
  )
}

type AuditLine = AnswerOf<'GET /audit'>['items'][number]

/** One change in a list: person, action, row, time and a link to its history. */
export const ChangeLine = ({ change }: { readonly change: AuditLine }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const sentence = useActionText()
  const flow = change.entity === 'flow'
  // The program writes it about the person who tried.
  const isOwnFailure = change.action === 'signinfailed'
  const to = addressOf(change.entity, change.entityid, { history: true })
  return (
    <HStack as="li" gap="3" px="4" minH="46px" py="1.5" borderTopWidth="1px">
      <PersonAvatar
        person={isOwnFailure ? { id: change.entityid, username: change.name ?? null } : change.user}
        size={26}
      />
      <Text flex="1" minW="0" textStyle="dense" color="fg.muted">
        <chakra.b color="fg">{isOwnFailure ? change.name : nameOf(change.user)}</chakra.b>{' '}
        {flow && change.action === 'changed' ? t('home.drew') : sentence(label, change.entity, change)}{' '}
        {isOwnFailure ? null : <chakra.b color="fg">{change.name}</chakra.b>}
        {change.entity === 'suppression' ? null : <> · {inSentence(label.name(flow ? 'dialog' : change.entity))}</>}
      </Text>
      <Hint text={momentOf(change.time)}>
        <chakra.time textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
          {agoOf(change.time)}
        </chakra.time>
      </Hint>
      {to === undefined ? null : (
        <Hint text={t('history')}>
          <RouterLink
            to={to}
            aria-label={`${t('history')}: ${change.name ?? ''}`}
            color="fg.muted"
            p="1.5"
            borderRadius="md"
            _hover={{ bg: 'bg.subtle', color: 'fg' }}
            focusVisibleRing="outside"
          >
            <History size={15} aria-hidden="true" />
          </RouterLink>
        </Hint>
      )}
    </HStack>
  )
}
