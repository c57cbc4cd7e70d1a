import { chakra, HStack, Text } from '@chakra-ui/react'
import { History } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { Hint } from '#web/components/hint.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { addressOf } from '#web/entity/address.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { useActionText } from './history-entry.tsx'

const RouterLink = chakra(Link)

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
