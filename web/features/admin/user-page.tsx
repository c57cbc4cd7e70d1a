import { Button, Text } from '@chakra-ui/react'
import { Copy, KeyRound, Lock, LockOpen, ShieldOff, UserX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { user } from '#schemas/entities/user.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Modal } from '#web/components/modal.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useLabel } from '#web/entity/label.ts'
import { notice } from '#web/notice/notice.ts'

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

/** A person: who they are, what they may, and what an administrator can do for them. */
export const UserPage = () => {
  const { t } = useTranslation('shell')
  const { id = '' } = useParams()
  const label = useLabel()
  const { can } = useSession()
  const command = useEntityCommand(user)
  const [password, setPassword] = useState<string>()
  const [forgetting, setForgetting] = useState<Row>()
  const may = (action: string) => can(`${action}user`)
  const reset = async (row: Row) =>
    setPassword((await command.act<{ password: string }>(row, 'resetpassword'))?.password)
  return (
    <>
      <EntityDetail
        key={id}
        entity={user}
        id={id}
        listAt="/user/search"
        hidden={HIDDEN}
        beside={row =>
          row.locked === true ? (
            <Chip tone="danger">
              <Lock size={12} aria-hidden="true" />
              {t('user.locked')}
            </Chip>
          ) : null
        }
        actions={row => {
          const action = row.locked === true ? 'unlock' : 'lock'
          if (!may(action)) return null
          return (
            <Button onClick={() => void command.act(row, action)}>
              {row.locked === true ? <LockOpen size={15} aria-hidden="true" /> : <Lock size={15} aria-hidden="true" />}
              {label.action('user', action)}
            </Button>
          )
        }}
        menu={row => [
          ...(may('resetpassword')
            ? [
                {
                  id: 'resetpassword',
                  icon: KeyRound,
                  label: label.action('user', 'resetpassword'),
                  run: () => void reset(row),
                },
              ]
            : []),
          ...(may('reset2fa')
            ? [
                {
                  id: 'reset2fa',
                  icon: ShieldOff,
                  label: label.action('user', 'reset2fa'),
                  run: () => void command.act(row, 'reset2fa'),
                },
              ]
            : []),
          ...(may('forget')
            ? [
                {
                  id: 'forget',
                  icon: UserX,
                  danger: true,
                  label: label.action('user', 'forget'),
                  run: () => setForgetting(row),
                },
              ]
            : []),
        ]}
      />
      {password === undefined ? null : <ShownPassword password={password} onClose={() => setPassword(undefined)} />}
      {forgetting === undefined ? null : (
        <ConfirmDialog
          title={t('user.forgettitle', { name: String(forgetting.username ?? '') })}
          action={label.action('user', 'forget')}
          icon={<UserX size={18} aria-hidden="true" />}
          onClose={() => setForgetting(undefined)}
          onConfirm={() => command.act(forgetting, 'forget', { confirm: 'CONFIRM' })}
        >
          {t('user.forgettext')}
        </ConfirmDialog>
      )}
    </>
  )
}
