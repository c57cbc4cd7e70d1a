import { Box, Button, Text } from '@chakra-ui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Copy, Eye, KeyRound, Lock } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { BodyOf } from '#schemas/api/routes.ts'
import { user } from '#schemas/entities/user.ts'
import { usergroup } from '#schemas/entities/usergroup.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { Modal } from '#web/components/modal.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { RightsSection } from '#web/entity/form/permission/rights-section.tsx'
import { TransferButton } from '#web/entity/form/transfer-dialog.tsx'
import { SessionList, useEndSessions } from '#web/features/account/index.ts'
import { useCopy } from '#web/notice/use-copy.ts'
import { useSeeAs } from '#web/shell/see-as.tsx'

const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['user', 'sessions', id],
    queryFn: () => http.get('/user/{id}/sessions', { params: { id } }),
  })

/** Sign-ins of a person, which those with the right can end. */
const UserSessions = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const isAllowed = can('endsessionsuser')
  const sessions = useQuery({ ...sessionsQuery(id), enabled: isAllowed })
  const { busy, end } = useEndSessions(sessions.refetch)
  if (!isAllowed || sessions.data === undefined) return null
  const { items } = sessions.data
  const others = items.filter(({ current }) => !current)

  const endOf = (body: BodyOf<'POST /user/{id}/endsessions'>, done: string) =>
    void end(http.post('/user/{id}/endsessions', { params: { id }, body }), done)
  return (
    <Box mt="4" mb="6" maxW="960px">
      <Card
        title={t('sessions.of')}
        beside={
          others.length > 1 ? (
            <Button disabled={busy} onClick={() => endOf({ all: true }, t('sessions.allended'))}>
              {t('sessions.all')}
            </Button>
          ) : null
        }
      >
        {items.length === 0 ? (
          <Text px="4" py="3" textStyle="secondary" color="fg.muted">
            {t('sessions.none')}
          </Text>
        ) : (
          <SessionList items={items} busy={busy} onEndOne={one => endOf({ ids: [one] }, t('sessions.ended'))} />
        )}
      </Card>
    </Box>
  )
}

const HIDDEN: ReadonlySet<string> = new Set(['password', 'twofactorsecret', 'profilepic'])

const ShownPassword = ({ password, onClose }: { password: string; onClose: () => void }) => {
  const { t } = useTranslation('shell')
  const copy = useCopy()
  return (
    <Modal
      title={t('user.newpassword')}
      icon={<KeyRound size={18} aria-hidden="true" />}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('close')}
          </Button>
          <Button variant="solid" data-autofocus="" onClick={() => void copy(password)}>
            <Copy size={15} aria-hidden="true" />
            {t('copy')}
          </Button>
        </>
      }
    >
      <Text color="fg.muted" mb="3">
        {t('user.newpasswordtext')}
      </Text>
      <Text fontFamily="mono" fontSize="lg" bg="bg.sunken" borderRadius="md" px="3" py="2" userSelect="all">
        {password}
      </Text>
    </Modal>
  )
}

const SeeAsButton = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('shell')
  const { user, can } = useSession()
  const { start } = useSeeAs()
  if (!can('seeasuser') || id === user.id || user.seenby !== undefined) return null
  return (
    <Button onClick={() => void start(id)}>
      <Eye size={15} aria-hidden="true" />
      {t('seeas.start')}
    </Button>
  )
}

/** A person: profile, rights and administrator actions. */
export const UserPage = () => {
  const { t } = useTranslation('shell')
  const { id = '' } = useParams()
  const { can } = useSession()
  const [password, setPassword] = useState<string>()
  return (
    <>
      <EntityDetail
        key={id}
        entity={user}
        id={id}
        listAt="/user/search"
        hidden={HIDDEN}
        actions={row => (
          <>
            {row.locked === true ? null : <SeeAsButton id={id} />}
            {can('transferuser') && row.forgotten !== true && typeof row.hierarchylevel === 'string' ? (
              <TransferButton entity="user" id={id} name={String(row.username ?? '')} level={row.hierarchylevel} />
            ) : null}
          </>
        )}
        below={() => (
          <>
            <RightsSection entity="user" id={id} />
            <UserSessions id={id} />
          </>
        )}
        beside={row =>
          row.locked === true ? (
            <Chip tone="danger" icon={Lock}>
              {t('user.locked')}
            </Chip>
          ) : null
        }
        onActed={(action, { password: handedOut }) => {
          if (action === 'resetpassword' && typeof handedOut === 'string') setPassword(handedOut)
        }}
      />
      {password === undefined ? null : <ShownPassword password={password} onClose={() => setPassword(undefined)} />}
    </>
  )
}

/** A group: its roles and parent, and what its members may do by both. */
export const GroupPage = () => {
  const { id = '' } = useParams()
  return (
    <EntityDetail
      key={id}
      entity={usergroup}
      id={id}
      listAt="/usergroup/search"
      below={() => <RightsSection entity="usergroup" id={id} />}
    />
  )
}
