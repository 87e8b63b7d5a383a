-- Roles for the database of `grampad collect`, with the least rights that each needs. Run it once as a superuser, in that
-- database; running it again changes nothing:
--
--   sudo -u postgres createdb grampad
--   sudo -u postgres psql --dbname grampad --file /usr/share/grampad/fleet/roles.sql
--   sudo -u postgres grampad collect --migrate --database 'dbname=grampad options=-crole=grampad_owner'
--
-- | role              | may                                                                                            |
-- | ----------------- | ---------------------------------------------------------------------------------------------- |
-- | grampad_owner     | everything with the tables: create and migrate them, say how long weighings are kept           |
-- | grampad_collector | insert weighings, and keep the state of devices; not change or delete a weighing               |
-- | grampad_reader    | read the views effective_weighing, daily_total and device_status, and the tables of conflicts  |
--
-- The rights to tables and views are granted when the owner creates or migrates them: `grampad collect --migrate`.
-- The roles have no password, so that only local logins that need none are possible (pg_hba.conf). To give one a password:
-- sudo -u postgres psql --dbname grampad --command '\password grampad_reader'. More users get the rights of
-- a role with `GRANT grampad_reader TO name`.

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['grampad_owner', 'grampad_collector', 'grampad_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE', name);
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), name);
  END LOOP;
  -- Other roles have no business in this database. TEMPORARY would let them create tables in it.
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
END $$;

-- PostgreSQL 14 lets every role create objects there.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO grampad_owner, grampad_collector, grampad_reader;
GRANT CREATE ON SCHEMA public TO grampad_owner;
