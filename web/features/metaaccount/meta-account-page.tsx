import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate, useLocation, useParams } from 'react-router'
import { metaaccount } from '#schemas/entities/metaaccount.ts'
import { http } from '#web/api/http.ts'
import { ConnectionTestResult, useConnectionTest } from '#web/entity/action/connection-test.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { MissingChannel } from '#web/features/campaign/index.ts'
import { useSetUp } from './set-up.tsx'

const NONE: ReadonlySet<string> = new Set()

/** An account at Meta: its form, the connection test, and the steps that set its number up. */
export const MetaAccountPage = () => {
  const { id = '' } = useParams()
  const client = useQueryClient()
  const { entries, dialog, subscribe } = useSetUp(id)
  const { answer, button, test } = useConnectionTest('metaaccount', async () => {
    const found = await http.post('/metaaccount/{id}/test', { params: { id } })
    await client.invalidateQueries({ queryKey: ['metaaccount'] })
    return found
  })
  const subscribing =
    subscribe === undefined ? null : (
      <Button size="xs" flex="none" onClick={() => void subscribe.do().then(test)}>
        {subscribe.label}
      </Button>
    )
  return (
    <EntityDetail
      entity={metaaccount}
      id={id}
      listAt="/metaaccount/search"
      hidden={NONE}
      above={row => (
        <>
          <MissingChannel account={row} />
          {answer === undefined ? null : (
            <ConnectionTestResult entity="metaaccount" answer={answer} remedies={{ webhook: subscribing }} />
          )}
        </>
      )}
      menu={() => entries}
      actions={() => (
        <>
          {button}
          {dialog}
        </>
      )}
    />
  )
}

/** /meta/account/{id}: another address of an account's page. */
export const MetaAccountAddress = () => {
  const { id = '' } = useParams()
  const { search } = useLocation()
  return <Navigate replace to={{ pathname: `/metaaccount/${encodeURIComponent(id)}`, search }} />
}
