INSERT INTO runs VALUES(1,'2026-01-01T00:00:00Z','1','h',1,1,'x');
INSERT INTO games VALUES('nim','0123456789abcdef',2);
INSERT INTO pairings VALUES(1,'k','nim','b','uct','uct','random','random');
INSERT INTO matches VALUES(4294967296,1,0,7,0,1,1,1,1.0,3,0,'net','1','h',0,0.5,0.5);
INSERT INTO matches(id,pairing,number,seed,rotation,done) VALUES(4294967297,1,1,8,1,0);
INSERT INTO seats VALUES(4294967296,0,'a',0,'uct',100,0.5,'{"sims":9}');
INSERT INTO seats VALUES(4294967296,1,'b',1,'random',0,0.5,NULL);
INSERT INTO moves VALUES(4294967296,1,0,'m',NULL,0.25);
