import { Button, Text } from '@chakra-ui/react'
import { Copy, Eye, KeyRound, Lock } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { user } from '#schemas/entities/user.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { Modal } from '#web/components/modal.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { RightsSection } from '#web/entity/form/permission/rights-section.tsx'
import { TransferButton } from '#web/entity/form/transfer-dialog.tsx'
import { notice } from '#web/notice/notice.ts'
import { useSeeAs } from '#web/shell/use-see-as.ts'
import { UserSessions } from './user-sessions.tsx'

const HIDDEN: ReadonlySet<string> = new Set(['password', 'twofactorsecret', 'profilepic'])

const ShownPassword = ({ password, onClose }: { password: string; onClose: () => void }) => {
  const { t } = useTranslation('shell')
  const copy = async () => {
    await navigator.clipboard.writeText(password)
    notice.snack(t('copied'))
  }
  return (
    <Modal
      open
      title={t('user.newpassword')}
      icon={<KeyRound size={18} aria-hidden="true" />}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('close')}
          </Button>
          <Button variant="solid" data-autofocus="" onClick={() => void copy()}>
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
            <Chip tone="danger">
              <Lock size={12} aria-hidden="true" />
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
